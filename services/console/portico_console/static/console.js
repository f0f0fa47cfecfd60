// What pages are more pleasant with: every one of them works without. Nothing here decides or makes markup of data.
"use strict";
{
  // Times in the zone and the words of the browser; the page itself has them in UTC.
  const language = document.documentElement.lang || undefined;
  const times = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
  for (const time of document.querySelectorAll("time[datetime]")) {
    const at = new Date(time.dateTime);
    if (!Number.isNaN(at.getTime())) {
      time.title = time.textContent;
      time.textContent = times.format(at);
    }
  }

  // A menu closes when something else is used.
  document.addEventListener("click", (event) => {
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });

  // Buttons that copy the text of another element.
  for (const button of document.querySelectorAll("button[data-copy]")) {
    button.hidden = !navigator.clipboard;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
      button.dataset.copied = "true";
    });
  }
}
