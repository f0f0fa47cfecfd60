// What every page shows: the name of the user, or an error.
export function signsIn(begin) {
  document.getElementById("rp-signin").onclick = () =>
    Promise.resolve(begin()).catch((error) => report(error));
}

export async function shown(findName) {
  try {
    const name = await findName();
    document.getElementById("rp-user").textContent = name ? `Hello ${name}` : "nobody";
  } catch (error) {
    report(error);
  }
}

function report(error) {
  document.getElementById("rp-error").textContent = String(error?.stack ?? error?.message ?? JSON.stringify(error));
}
