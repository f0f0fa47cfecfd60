{
  // Days and times in the zone and the words of the browser; the page itself has them in UTC.
  const full = new Intl.DateTimeFormat(region, { dateStyle: "full" });
  const exact = new Intl.DateTimeFormat(region, { dateStyle: "medium", timeStyle: "medium" });
  const near = new Intl.RelativeTimeFormat(region, { numeric: "auto" });
  const dayOf = (at) => [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => `${part}`.padStart(2, "0")).join("-");
  const daysAgo = (day) => Math.round((new Date(dayOf(new Date())) - new Date(day)) / 86_400_000);
  const titled = (day, at) => {
    const ago = daysAgo(day);
    return ago === 0 || ago === 1 ? `${near.format(-ago, "day")} · ${full.format(at)}` : full.format(at);
  };
  const sections = [...document.querySelectorAll("section.day")];
  let shown;
  for (const section of sections) {
    for (const entry of [...section.querySelectorAll("li.event")]) {
      const time = entry.querySelector("time");
      const at = new Date(time.dateTime);
      const day = dayOf(at);
      time.textContent = exact.format(at);
      if (shown?.dataset.day !== day) {
        shown = section.cloneNode(false);
        shown.dataset.day = day;
        shown.append(section.querySelector("h2").cloneNode(false), section.querySelector("ol").cloneNode(false));
        shown.querySelector("h2").id = `day-${day}`;
        shown.querySelector("h2").textContent = titled(day, at);
        shown.setAttribute("aria-labelledby", `day-${day}`);
        section.before(shown);
      }
      shown.querySelector("ol").append(entry);
    }
    section.remove();
  }
}
{
  // Days of filters are those of the reader.
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  for (const field of document.querySelectorAll("input[data-zone]")) field.value ||= timeZone;
  for (const link of document.querySelectorAll("a[data-zoned]")) {
    const address = new URL(link.href);
    if (!address.searchParams.get("zone")) address.searchParams.set("zone", timeZone);
    link.href = address;
  }
}
