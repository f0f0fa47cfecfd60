// An export: the download begins by itself, and its rows are counted while they arrive.
{
  const part = document.querySelector("[data-export]");
  if (part) {
    const find = (name) => part.querySelector(`[data-${name}]`);
    const bar = part.querySelector("progress");
    const save = (blob) => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(blob);
      link.download = part.dataset.name;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    };
    const download = async () => {
      const answer = await fetch(part.dataset.export, { redirect: "error" });
      if (!answer.ok) throw new Error(answer.status);
      find("progress").hidden = false;
      const parts = [];
      const last = new TextDecoder();
      let lines = 0;
      let tail = "";
      for (let reader = answer.body.getReader(); ; ) {
        const { done, value } = await reader.read();
        if (done) break;
        parts.push(value);
        const text = last.decode(value, { stream: true });
        lines += text.split("\n").length - 1;
        tail = (tail + text).slice(-500);
        bar.value = Math.min(lines, bar.max);
        find("rows").textContent = `${bar.value} / ${part.dataset.count}`;
      }
      bar.value = bar.max;
      save(new Blob(parts, { type: answer.headers.get("content-type") }));
      find(/ERROR: This export is incomplete/.test(tail) ? "failed" : "done").hidden = false;
    };
    // Anything unusual, as a sign-in that has to be renewed, is the browser's own download.
    download().catch(() => location.assign(part.dataset.export));
  }
}
