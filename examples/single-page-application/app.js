// A single-page application: the code flow with PKCE in the browser, without a secret.
const API = "http://localhost:3002";
const manager = new oidc.UserManager({
  authority: "http://localhost:8080",
  client_id: "examples-spa",
  redirect_uri: `${location.origin}/`,
  post_logout_redirect_uri: `${location.origin}/`,
  scope: "openid profile offline_access urn:portico:project:roles",
  loadUserInfo: true,
  // Tokens are kept in memory: a script that reads the storage of this origin finds none. After a reload, "Sign in"
  // asks for nothing as long as the session at Portico lives.
  userStore: new oidc.WebStorageStateStore({ store: new oidc.InMemoryWebStorage() }),
});
const element = (id) => document.getElementById(id);

async function notes(options = {}) {
  const user = await manager.getUser();
  const answer = await fetch(`${API}/notes`, {
    ...options, headers: { Authorization: `Bearer ${user.access_token}`, "Content-Type": "text/plain" },
  });
  if (!answer.ok) throw new Error(`The API answered ${answer.status}.`);
  element("notes").replaceChildren(...(await answer.json()).map((note) => {
    const item = document.createElement("li");
    item.textContent = note; // textContent, so a note cannot add a script
    return item;
  }));
}

async function start() {
  const answer = new URLSearchParams(location.search);
  if (answer.has("code") || answer.has("error")) {
    try {
      await manager.signinRedirectCallback(); // compares state, redeems the code, checks the id_token
    } finally {
      history.replaceState(null, "", "/");
    }
  }
  const user = await manager.getUser();
  element("sign-in").hidden = user !== null;
  element("signed-in").hidden = user === null;
  if (user === null) return;
  element("hello").textContent = `Hello ${user.profile.name}`;
  await notes();
}

const report = (error) => { element("error").textContent = error.message; };
element("sign-in").addEventListener("click", () => manager.signinRedirect().catch(report));
element("sign-out").addEventListener("click", () => manager.signoutRedirect().catch(report));
element("add").addEventListener("submit", (event) => {
  event.preventDefault();
  notes({ method: "POST", body: element("text").value }).catch(report);
});
start().catch(report);
