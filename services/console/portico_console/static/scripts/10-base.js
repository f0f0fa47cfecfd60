// What pages are more pleasant with: every one of them works without. Nothing here decides or makes markup of data.
"use strict";

// The language of the page as the browser has it, with its region: dates are British where the reader's are.
const spoken = document.documentElement.lang;
const region = navigator.languages.find((tag) => tag.split("-")[0] === spoken) || spoken || undefined;
{
  // Times in the zone and the words of the browser; the page itself has them in UTC.
  const times = new Intl.DateTimeFormat(region, { dateStyle: "medium", timeStyle: "short" });
  const days = new Intl.DateTimeFormat(region, { dateStyle: "medium", timeZone: "UTC" });
  const localize = (part) => {
    for (const day of part.querySelectorAll("time[datetime]")) {
      if (day.dateTime.length === 10) day.textContent = days.format(new Date(day.dateTime));
    }
    for (const time of part.querySelectorAll("time[datetime*=T]")) {
      const at = new Date(time.dateTime);
      if (!Number.isNaN(at.getTime())) {
        time.title = time.textContent;
        time.textContent = times.format(at);
      }
    }
  };
  localize(document);

  // A menu closes when something else is used.
  document.addEventListener("click", (event) => {
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  });
  // Also by Tab: an open menu would cover what has the focus next.
  document.addEventListener("focusout", (event) => {
    const menu = event.target.closest("details.menu[open]");
    if (menu && event.relatedTarget && !menu.contains(event.relatedTarget)) menu.open = false;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });

  // A form that only goes on with what was confirmed before.
  document.querySelector("form[data-send]")?.requestSubmit();

  // A form whose button works once something of its first group is selected.
  for (const form of document.querySelectorAll("form[data-needs]")) {
    const boxes = form.querySelector("fieldset").querySelectorAll("input");
    const allow = () => {
      document.getElementById(form.dataset.needs).disabled = ![...boxes].some((box) => box.checked);
    };
    form.addEventListener("change", allow);
    allow();
  }

  // Buttons that copy the text of another element.
  for (const button of document.querySelectorAll("button[data-copy]")) {
    button.hidden = !navigator.clipboard;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
      button.dataset.copied = "true";
    });
  }

  // The addresses of a field, judged while they are typed, by the rules they are registered by.
  for (const field of document.querySelectorAll("textarea[data-judge]")) {
    const list = document.getElementById(field.dataset.advice);
    let wait = 0;
    const judge = async () => {
      const uris = field.value.split("\n").map((line) => line.trim()).filter(Boolean).slice(0, 20);
      const advices = await Promise.all(
        uris.map(async (uri) => (await fetch(`${field.dataset.judge}?uri=${encodeURIComponent(uri)}`)).json()),
      );
      list.replaceChildren(
        ...advices.map((advice, position) => {
          const item = document.createElement("li");
          const code = document.createElement("code");
          code.textContent = uris[position];
          item.className = advice.good ? "good" : "bad";
          item.append(code, ` ${advice.text}`);
          return item;
        }),
      );
    };
    field.addEventListener("input", () => {
      clearTimeout(wait);
      wait = setTimeout(() => judge().catch(() => {}), 300);
    });
  }

  // A part of a page that changes by itself: it is fetched again while the page is visible and it is not paused.
  for (const part of document.querySelectorAll("[data-refresh]")) {
    let shown = part;
    const live = document.getElementById(`${part.id}-live`);
    if (live) live.parentElement.hidden = false;
    const refresh = async () => {
      if (document.hidden || live?.checked === false) return;
      const answer = await fetch(part.dataset.refresh, { redirect: "error" });
      if (answer.status === 401 && live) live.checked = false; // signed out: nothing more arrives here
      if (!answer.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.getElementById(part.id);
      if (!fresh) return;
      localize(fresh);
      // Replacing it moves the focus out of it.
      if (fresh.textContent === shown.textContent) return;
      shown.replaceWith(fresh);
      shown = fresh;
    };
    setInterval(() => refresh().catch(() => {}), 2000);
  }
}
