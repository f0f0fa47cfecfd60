{
  // Arrow keys go from the search box through the results.
  const results = [...document.querySelectorAll("#results a")];
  const box = document.getElementById("find");
  if (box && results.length) {
    document.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const at = results.indexOf(document.activeElement);
      if (!step || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (at < 0 && !(step > 0 && document.activeElement?.matches("#find"))) return;
      event.preventDefault();
      (results[at + step] ?? (at + step < 0 ? box : results[at])).focus();
    });
  }
}
