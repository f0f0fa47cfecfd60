// Lists: one box ticks all of the page, and the bar counts the ticked rows.
{
  const form = document.getElementById("several");
  const every = form?.querySelector("input[data-every]");
  const shown = form?.querySelector("output[data-selected]");
  const whole = form?.querySelector("[data-whole-page]");
  const does = form?.querySelector("[data-for-selected]");
  if (every) {
    const boxes = [...form.querySelectorAll('input[name^="row-"]')];
    const count = () => {
      const ticked = boxes.filter((box) => box.checked).length;
      every.checked = ticked === boxes.length;
      every.indeterminate = ticked > 0 && !every.checked;
      does.hidden = ticked === 0;
      if (whole) whole.hidden = !every.checked;
      if (shown) {
        shown.hidden = ticked === 0 || (whole && every.checked);
        shown.textContent = shown.dataset.words.replace("#", ticked);
      }
    };
    every.hidden = false;
    every.addEventListener("change", () => {
      for (const box of boxes) box.checked = every.checked;
      count();
    });
    form.addEventListener("change", (event) => {
      if (event.target !== every) count();
    });
    count();
  }
}
// A field above a list of checkboxes hides those that have none of its words; what is ticked stays visible.
for (const finder of document.querySelectorAll("[data-finder]")) {
  const field = finder.querySelector("input");
  const entries = [...finder.closest("fieldset").querySelectorAll("label.check")];
  finder.hidden = false;
  field.addEventListener("input", () => {
    const words = field.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    for (const entry of entries) {
      const text = entry.textContent.toLocaleLowerCase();
      entry.hidden = !entry.querySelector("input").checked && !words.every((word) => text.includes(word));
    }
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") event.preventDefault(); // it would send the form
  });
}
