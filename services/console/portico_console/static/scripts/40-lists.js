// Lists: one box ticks all of the page, and the bar counts the ticked rows.
{
  const form = document.getElementById("several");
  const every = form?.querySelector("input[data-every]");
  const shown = form?.querySelector("output[data-selected]");
  if (every) {
    const boxes = [...form.querySelectorAll('input[name^="row-"]')];
    const count = () => {
      const ticked = boxes.filter((box) => box.checked).length;
      every.checked = ticked === boxes.length;
      every.indeterminate = ticked > 0 && !every.checked;
      if (shown) {
        shown.hidden = ticked === 0;
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
