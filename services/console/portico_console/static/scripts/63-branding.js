// Branding: a colour is chosen or typed; the samples and the warnings follow.
{
  const form = document.querySelector("form[data-check]");
  if (form) {
    const isColour = (text) => /^#[0-9a-f]{6}$/i.test(text);
    let wait = 0;
    let newest = 0;

    const check = async () => {
      const number = ++newest;
      const fields = new URLSearchParams(new FormData(form));
      for (const name of ["csrf", "sequence"]) fields.delete(name);
      const response = await fetch(`${form.dataset.check}?${fields}`, { redirect: "error" });
      if (!response.ok || number !== newest) return;
      const { problems, stylesheets } = await response.json();
      for (const picker of form.querySelectorAll("[data-picker]")) {
        const name = picker.dataset.picker;
        const field = form.elements.namedItem(name);
        const problem = document.getElementById(`${name}-problem`);
        problem.textContent = problems[name] ?? "";
        problem.hidden = !problems[name];
        if (problems[name]) field.setAttribute("aria-invalid", "true");
        else field.removeAttribute("aria-invalid");
      }
      for (const sample of document.querySelectorAll("iframe.sample")) {
        const sheet = sample.contentDocument?.getElementById("branded-stylesheet");
        if (sheet) sheet.href = stylesheets[sample.dataset.theme];
      }
    };
    const soon = () => {
      clearTimeout(wait);
      wait = setTimeout(() => check().catch(() => {}), 150);
    };

    for (const picker of form.querySelectorAll("[data-picker]")) {
      const field = form.elements.namedItem(picker.dataset.picker);
      picker.hidden = false;
      picker.addEventListener("input", () => {
        field.value = picker.value;
        soon();
      });
      field.addEventListener("input", () => {
        picker.value = isColour(field.value) ? field.value.toLowerCase() : picker.dataset.own;
        soon();
      });
    }
    form.elements.namedItem("fontFamily").addEventListener("change", soon);
    document.getElementById("preview-branding")?.setAttribute("hidden", "");
  }
}
