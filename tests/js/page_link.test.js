// The link of a page.

import assert from "node:assert/strict";
import test from "node:test";

import { codeFor, copiedWords, noteFor } from "../../visualizer/viewer/assets/components/page_link/page_link.js";

test("there is no code for an address that only this computer can open", () => {
  assert.equal(codeFor({ link: "https://lab7.example.org/", svg: "<svg/>" }), "<svg/>");
  for (const host of ["localhost:8501", "127.0.0.1:8501", "[::1]:8501"]) {
    const code = { link: `http://${host}/`, svg: "<svg/>" };
    assert.equal(codeFor(code), "");
    assert.match(noteFor(code), /plyscope app --host 0\.0\.0\.0/);
  }
});

test("a note says why others cannot open it", () => {
  assert.equal(noteFor({ link: "https://lab7.example.org/play?moves=3", svg: "<svg/>" }), "");
  for (const host of ["localhost:8501", "127.0.0.1:8501", "[::1]:8501"]) {
    assert.match(noteFor({ link: `http://${host}/`, svg: "<svg/>" }), /only on this computer/);
  }
  assert.match(noteFor({ link: "https://lab7.example.org/", svg: "" }), /too long/);
});

test("a copied link says if it works only here", () => {
  assert.equal(copiedWords("https://lab7.example.org/play?moves=3"), "Link copied");
  assert.equal(copiedWords("https://localhost.example.org/"), "Link copied");
  for (const host of ["localhost:8501", "127.0.0.1:8501", "[::1]:8501"]) assert.match(copiedWords(`http://${host}/`), /only on this computer/);
});

test("a link to a program says that the program is not in it", () => {
  for (const host of ["http://localhost:8501", "https://lab7.example.org/plyscope"]) {
    const link = `${host}/your_search`;
    for (const words of [copiedWords(link), noteFor({ link, svg: "<svg/>" })]) {
      assert.match(words, /without your program/);
      assert.doesNotMatch(words, /on Step/);
      assert.equal(/only on this computer/.test(words), host.includes("localhost"));
    }
  }
});
