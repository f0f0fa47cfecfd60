// What pages with passwords, keys, recovery codes and times are more pleasant with: all of them work without.
"use strict";

// A button beside every password that shows what is typed. What is sent is a password field again, so that no browser
// remembers it as text.
const reveals = document.getElementById("reveal");
if (reveals) {
  // The page may be the answer to a form. Reloading it, or coming back to it, asks for the page instead of sending that again.
  history.replaceState(null, "", location.href);

  for (const field of document.querySelectorAll(".secret > input")) {
    const reveal = reveals.content.firstElementChild.cloneNode(true);
    const show = (shown) => {
      field.type = shown ? "text" : "password";
      reveal.setAttribute("aria-pressed", String(shown));
    };
    reveal.id = `${field.id}-show`;
    reveal.setAttribute("aria-controls", field.id);
    reveal.addEventListener("click", () => show(field.type === "password"));
    field.form.addEventListener("submit", () => show(false));
    field.after(reveal);
  }
}

// Buttons that copy the lines of a list, or a key without the spaces between its groups.
for (const button of document.querySelectorAll("button[data-copy]")) {
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    const source = document.getElementById(button.dataset.copy);
    const lines = [...source.querySelectorAll("li")].map((line) => `${line.textContent}\n`);
    await navigator.clipboard.writeText(lines.join("") || source.textContent.replaceAll(" ", ""));
    button.textContent = button.dataset.done;
  });
}

// Times in the zone of the browser, and in the form of its region where that has the language of the page.
const spoken = document.documentElement.lang;
const region = navigator.languages.find((tag) => tag.split("-")[0] === spoken) || spoken;
for (const time of document.querySelectorAll("time[datetime]")) {
  time.title = time.textContent;
  time.textContent = new Intl.DateTimeFormat(region, { dateStyle: "medium", timeStyle: "short" }).format(new Date(time.dateTime));
}

const paper = document.getElementById("recovery-codes-print");
if (paper) {
  paper.hidden = false;
  paper.addEventListener("click", () => window.print());
}
