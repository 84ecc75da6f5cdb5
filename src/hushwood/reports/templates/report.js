(() => {
  "use strict";
  const config = JSON.parse(document.getElementById("chart-config").textContent);
  const draw = (box) => {
    // A chart is as wide as its box, so it is drawn when the box is first seen.
    if (box.dataset.drawn || !box.offsetParent) return;
    box.dataset.drawn = "yes";
    const spec = JSON.parse(document.getElementById(box.dataset.chart).textContent);
    window.vegaEmbed(box, spec, {
      mode: "vega-lite",
      renderer: "svg",
      actions: false,
      config,
      tooltip: { disableDefaultStyle: true },
    });
  };
  const boxesIn = (part, which) => [...part.querySelectorAll(which)];
  // Two trees side by side move together, so that the same place of both is in sight.
  const centre = (part) => {
    for (const box of boxesIn(part, "[data-together] .tree")) {
      const root = box.querySelector("rect.test");
      if (root && box.offsetParent) box.scrollTop = root.y.baseVal.value - box.clientHeight / 2;
    }
  };
  const show = (part) => {
    boxesIn(part, "[data-chart]").forEach(draw);
    centre(part);
  };
  const share = (at, size, view) => (size > view ? at / (size - view) : 0);
  for (const pair of boxesIn(document, "[data-together]")) {
    const boxes = boxesIn(pair, ".tree");
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
  // A link to a folded section unfolds it.
  const unfold = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const fold = target && target.querySelector(":scope > details.fold");
    if (fold) fold.open = true;
  };
  document.addEventListener("toggle", (event) => show(event.target), true);
  window.addEventListener("hashchange", unfold);
  for (const link of boxesIn(document, "a[href^='#']")) link.addEventListener("click", () => setTimeout(unfold));
  unfold();
  show(document);
  window.addEventListener("beforeprint", () => window.dispatchEvent(new Event("resize")));
})();
