
(function () {
  "use strict";
  var list = document.getElementById("groups");
  if (list) {
    var groups = Array.prototype.slice.call(list.children);
    var field = function (name) { return document.getElementById(name); };
    var texts = groups.map(function (group) { return group.textContent.toLowerCase(); });
    var url = function (group) { return group.querySelector(".url").textContent; };
    var filter = function () {
      var find = field("find").value.trim().toLowerCase();
      var tier = field("tier").value, reason = field("reason").value, content = field("content").value;
      var count = 0;
      groups.forEach(function (group, number) {
        var data = group.dataset;
        var fits = (!find || texts[number].indexOf(find) >= 0) && (!tier || data.tier === tier) &&
          (!reason || data.reasons.split(" ").indexOf(reason) >= 0) && (!content || data.content === content);
        group.hidden = !fits;
        count += fits ? 1 : 0;
      });
      field("shown").textContent = count === groups.length ? count + (count === 1 ? " group" : " groups")
        : count + " of " + groups.length + " groups";
    };
    var order = function () {
      var by = field("order").value;
      groups.map(function (group, number) { return { group: group, number: number }; }).sort(function (a, b) {
        if (by === "url") { return url(a.group) < url(b.group) ? -1 : 1; }
        return b.group.dataset.size - a.group.dataset.size || a.number - b.number;
      }).forEach(function (one) { list.appendChild(one.group); });
    };
    ["find", "tier", "reason", "content"].forEach(function (name) { field(name).addEventListener("input", filter); });
    field("order").addEventListener("input", order);
    field("filters").addEventListener("submit", function (event) { event.preventDefault(); });
    document.querySelectorAll("[data-reason]").forEach(function (button) {
      button.addEventListener("click", function () {
        field("reason").value = button.dataset.reason;
        filter();
        document.getElementById("pages").scrollIntoView();
        field("reason").focus({ preventScroll: true });
      });
    });
  }
  document.querySelectorAll("[data-sort]").forEach(function (button) {
    button.addEventListener("click", function () {
      var head = button.parentNode, body = head.closest("table").tBodies[0];
      var column = Array.prototype.indexOf.call(head.parentNode.children, head);
      var number = button.dataset.sort === "number";
      var down = head.getAttribute("aria-sort") === (number ? "none" : "ascending") ||
        (number && head.getAttribute("aria-sort") === "ascending");
      Array.prototype.forEach.call(head.parentNode.children, function (other) { other.setAttribute("aria-sort", "none"); });
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      var value = function (row) {
        var cell = row.children[column];
        return number ? Number(cell.dataset.value) : cell.textContent;
      };
      Array.prototype.slice.call(body.rows).sort(function (a, b) {
        var x = value(a), y = value(b);
        return (x < y ? -1 : x > y ? 1 : 0) * (down ? -1 : 1);
      }).forEach(function (row) { body.appendChild(row); });
    });
  });
  document.documentElement.classList.remove("no-script");
})();
