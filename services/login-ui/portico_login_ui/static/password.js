// Puts a button beside every password that shows what is typed. What is sent is a password field again, so that no
// browser remembers it as text.
"use strict";

// The page may be the answer to a form. Reloading it, or coming back to it, asks for the page instead of sending that again.
history.replaceState(null, "", location.href);

{
  const button = document.getElementById("reveal").content.firstElementChild;

  for (const field of document.querySelectorAll(".secret > input")) {
    const reveal = button.cloneNode(true);
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
