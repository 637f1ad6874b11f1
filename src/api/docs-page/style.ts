// How the documentation looks: light or dark as the reader prefers, on screens of any width.
export const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d5dae0, #3a4048); --soft: light-dark(#f5f7f9, #1d2126); --accent: light-dark(#0b5cad, #6db3f8); --quiet: light-dark(#55606c, #a3adb8); }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; display: grid; grid-template-columns: 17rem minmax(0, 1fr); }
.side { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1.5rem; background: var(--soft); border-right: 1px solid var(--line); }
header .home { font-size: 1.1rem; font-weight: 700; color: inherit; } header small { color: var(--quiet); display: block; } .to-chapters { display: none; }
form { display: flex; gap: .4rem; margin: .8rem 0 0; } input { flex: 1; min-width: 0; } input, button { font: inherit; padding: .25rem .5rem; border: 1px solid var(--line); border-radius: .35rem; background: light-dark(#fff, #14171b); color: inherit; } button { cursor: pointer; color: var(--accent); }
nav { font-size: .92rem; line-height: 1.35; } nav ol { list-style: none; padding: 0; margin: 1rem 0; } nav li { margin: .25rem 0; } nav [aria-current] { font-weight: 600; color: inherit; }
.skip { position: absolute; left: -100vw; } .skip:focus { left: 1rem; top: .5rem; background: var(--soft); padding: .3rem .6rem; z-index: 1; }
main { padding: 2rem clamp(1rem, 4vw, 4rem); max-width: 68rem; }
a { color: var(--accent); text-decoration: none; } a:hover, a:focus { text-decoration: underline; }
h1 { margin-top: 0; line-height: 1.2; } h2 { margin-top: 3.5rem; padding-bottom: .3rem; border-bottom: 1px solid var(--line); }
article { border: 1px solid var(--line); border-radius: .5rem; padding: 1rem 1.2rem; margin: 1.2rem 0; } article > :first-child { margin-top: 0; } article > :last-child { margin-bottom: 0; }
h3 { font-weight: 500; margin-bottom: .4rem; overflow-wrap: anywhere; } h4 { margin: 1.2rem 0 .4rem; } h4 small { font-weight: 400; color: var(--quiet); }
.method { font-weight: 700; color: var(--accent); border: 1px solid currentColor; border-radius: .3rem; padding: .05rem .4rem; margin-right: .3rem; }
.post, .patch, .put { color: light-dark(#1f7a3d, #7bd69a); } .delete { color: light-dark(#b3261e, #ff8a80); }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .9em; }
p code, dd code, td code { overflow-wrap: anywhere; }
pre { background: var(--soft); padding: .8rem 1rem; border-radius: .4rem; margin: .6rem 0; white-space: pre-wrap; overflow-wrap: anywhere; } pre code { font-size: .85rem; }
.curl { position: relative; } .curl:has(button) { padding-right: 5.5rem; } .curl button { position: absolute; top: .5rem; right: .5rem; font: .8rem system-ui, sans-serif; user-select: none; }
.unseen { position: absolute; left: -100vw; margin: 0; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .2rem 1rem; margin: .6rem 0; } dt { color: var(--quiet); } dd { margin: 0; }
.table { overflow-x: auto; margin: .6rem 0; } table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th, td { text-align: left; padding: .35rem .8rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; } th { font-weight: 600; color: var(--quiet); }
td:first-child { min-width: 5rem; } td code span { color: var(--quiet); } td em { font-style: normal; font-size: .8rem; color: var(--quiet); }
details { margin: .6rem 0; } details > [id] { scroll-margin-top: 3.5rem; } summary { cursor: pointer; padding: .15rem 0; } summary:hover { color: var(--accent); }
.entry { margin: 1.6rem 0; } .entry h3 { margin: 0; font-weight: 600; } .entry p { margin: .2rem 0 .5rem; }
.entry ul, .routes, .found { list-style: none; padding: 0; margin: .4rem 0; } .entry li, .routes li, .found li { margin: .35rem 0; overflow-wrap: anywhere; } li > span { color: var(--quiet); }
.entry .method, .routes .method { font-size: .72rem; padding: 0 .3rem; }
@media (max-width: 50rem) {
  body { display: flex; flex-direction: column; } .side { display: contents; } header, nav { padding: 1rem; background: var(--soft); } header { border-bottom: 1px solid var(--line); } header small { display: inline; } .to-chapters { display: inline-block; margin-top: .6rem; }
  nav { order: 1; border-top: 1px solid var(--line); font-size: 1rem; line-height: 1.55; } nav ol { columns: 10rem; margin: 0; }
  main { padding: 1.2rem 1rem; max-width: 100%; } article { padding: .8rem; } dl { grid-template-columns: minmax(0, 1fr); gap: 0; } dd { margin-bottom: .4rem; }
  .curl:has(button) { padding: 2.8rem .8rem .8rem; }
}
@media print { body { display: block; } nav, form, .curl button { display: none; } }
`;
