// The navigation remembers its closed groups and the last organizations; "/" goes to the search, unless it is switched off.
{
  const kept = (name) => {
    try {
      return JSON.parse(localStorage.getItem(name)) ?? {};
    } catch {
      return {};
    }
  };
  const keep = (name, value) => {
    try {
      localStorage.setItem(name, JSON.stringify(value));
    } catch {
      // Storage can be switched off; then nothing is remembered.
    }
  };

  const closed = kept("portico-closed");
  for (const group of document.querySelectorAll("details[data-group]")) {
    if (closed[group.dataset.group] && !group.querySelector("[aria-current]")) group.open = false;
    group.addEventListener("toggle", () => {
      keep("portico-closed", { ...kept("portico-closed"), [group.dataset.group]: !group.open });
    });
  }

  const menu = document.querySelector("[data-recent]");
  if (menu) {
    const { recent: path, person, org: id, name } = menu.dataset;
    const before = kept("portico-recent");
    const orgs = before.person === person ? before.orgs : [];
    const others = orgs.filter((one) => one.id !== id).slice(0, 4);
    for (const one of [...others].reverse()) {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = path + one.id;
      link.textContent = one.name;
      item.append(link);
      menu.prepend(item);
    }
    keep("portico-recent", { person, orgs: id ? [{ id, name }, ...others] : orgs });
  }

  for (const button of document.querySelectorAll("[data-print]")) {
    button.hidden = false;
    button.addEventListener("click", () => window.print());
  }
  for (const button of document.querySelectorAll("[data-copy-lines]")) {
    button.hidden = !navigator.clipboard;
    button.addEventListener("click", async () => {
      const lines = [...document.getElementById(button.dataset.copyLines).children].map((line) => line.textContent);
      await navigator.clipboard.writeText(`${lines.join("\n")}\n`);
      button.dataset.copied = "true";
    });
  }

  const search = document.getElementById("find");
  const shortcut = document.querySelector("#shortcut input");
  const allow = () => {
    search?.setAttribute("aria-keyshortcuts", shortcut.checked ? "/ Control+K" : "Control+K");
  };
  if (shortcut) {
    shortcut.parentElement.hidden = false;
    shortcut.checked = kept("portico-shortcut").off !== true;
    allow();
    shortcut.addEventListener("change", () => {
      keep("portico-shortcut", { off: !shortcut.checked });
      allow();
    });
  }

  document.addEventListener("keydown", (event) => {
    if (search && event.key === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
      event.preventDefault();
      search.focus();
      search.select();
    }
    const typing = event.target.closest("input, textarea, select, [contenteditable]");
    if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!search || !shortcut?.checked) return;
    event.preventDefault();
    search.focus();
  });
}
