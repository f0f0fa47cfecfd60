// What pages with passwords, keys and recovery codes are more pleasant with: all of them work without.
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

const paper = document.getElementById("recovery-codes-print");
if (paper) {
  paper.hidden = false;
  paper.addEventListener("click", () => window.print());
}
