{
  // Days in the words of the browser; they are days of UTC.
  const language = document.documentElement.lang || undefined;
  const days = new Intl.DateTimeFormat(language, { dateStyle: "full", timeZone: "UTC" });
  for (const heading of document.querySelectorAll("[data-day]")) {
    heading.textContent = days.format(new Date(`${heading.dataset.day}T00:00:00Z`));
  }
}
