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
{
  // Suggestions below the search box while typing: the server renders them, as a part of a page with links.
  const box = document.querySelector("input[data-suggestions]");
  if (box) {
    const status = document.getElementById("suggested");
    let wait = 0;
    let asked;
    let list;
    box.setAttribute("role", "combobox");
    box.setAttribute("aria-autocomplete", "list");
    box.setAttribute("aria-expanded", "false");

    const options = () => [...(list?.querySelectorAll("[role=option]") ?? [])];
    const chosen = () => options().find((one) => one.ariaSelected === "true");
    const choose = (option) => {
      for (const one of options()) one.setAttribute("aria-selected", one === option ? "true" : "false");
      if (option) {
        box.setAttribute("aria-activedescendant", option.id);
        option.scrollIntoView({ block: "nearest" });
      } else box.removeAttribute("aria-activedescendant");
    };
    const close = () => {
      clearTimeout(wait);
      asked?.abort();
      choose();
      list?.remove();
      list = undefined;
      status.textContent = "";
      box.setAttribute("aria-expanded", "false");
      box.removeAttribute("aria-controls");
    };
    const suggest = async () => {
      const text = box.value.trim();
      asked?.abort();
      asked = new AbortController();
      const { signal } = asked;
      const answer = await fetch(`${box.dataset.suggestions}?q=${encodeURIComponent(text)}`, { redirect: "error", signal });
      if (!answer.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.getElementById("suggestions");
      if (!fresh || signal.aborted || document.activeElement !== box) return;
      list?.remove();
      list = fresh;
      box.form.append(list);
      // A press would take the focus from the box before the click.
      list.addEventListener("mousedown", (event) => event.preventDefault());
      choose();
      box.setAttribute("aria-expanded", "true");
      box.setAttribute("aria-controls", list.id);
      status.textContent = list.dataset.count;
    };

    box.addEventListener("input", () => {
      clearTimeout(wait);
      // Two letters, or one character of a script without letters.
      if (box.value.trim().length < 2 && !/[\u3040-\uffff]/.test(box.value)) close();
      else wait = setTimeout(() => suggest().catch(() => {}), 150);
    });
    box.addEventListener("blur", close);
    box.addEventListener("keydown", (event) => {
      if (!list || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
      const all = options();
      const at = all.indexOf(chosen());
      const to = { ArrowDown: at + 1, ArrowUp: at < 0 ? all.length - 1 : at - 1 }[event.key];
      if (to !== undefined) choose(all[to]);
      else if (event.key === "Enter" && at >= 0) location.assign(all[at].href);
      else if (event.key === "Escape") close();
      else return;
      event.preventDefault();
    });
  }
}
