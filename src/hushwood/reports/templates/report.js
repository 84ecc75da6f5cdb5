(() => {
  "use strict";
  const config = JSON.parse(document.getElementById("chart-config").textContent);
  for (const box of document.querySelectorAll("[data-chart]")) {
    const spec = JSON.parse(document.getElementById(box.dataset.chart).textContent);
    window.vegaEmbed(box, spec, {
      mode: "vega-lite",
      renderer: "svg",
      actions: false,
      config,
      tooltip: { disableDefaultStyle: true },
    });
  }
  // Two trees side by side move together, so that the same place of both is in sight.
  for (const pair of document.querySelectorAll("[data-together]")) {
    const boxes = [...pair.querySelectorAll(".tree")];
    for (const box of boxes) {
      const root = box.querySelector("rect.test");
      if (root) box.scrollTop = root.y.baseVal.value - box.clientHeight / 2;
    }
    const share = (at, size, view) => (size > view ? at / (size - view) : 0);
    for (const box of boxes) {
      box.addEventListener("scroll", () => {
        if (!box.matches(":hover, :focus")) return;
        const down = share(box.scrollTop, box.scrollHeight, box.clientHeight);
        const right = share(box.scrollLeft, box.scrollWidth, box.clientWidth);
        for (const other of boxes) {
          if (other === box) continue;
          other.scrollTop = down * (other.scrollHeight - other.clientHeight);
          other.scrollLeft = right * (other.scrollWidth - other.clientWidth);
        }
      }, { passive: true });
    }
  }
  window.addEventListener("beforeprint", () => window.dispatchEvent(new Event("resize")));
})();
