// The layout of all pages of the documentation, around their content: the list of chapters, and the search.
import { createHash } from 'node:crypto';
import type { Chapter } from '../openapi/chapters.ts';
import { escaped } from './html.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';

export interface Site {
  readonly version: string;
  /** The chapters that have routes. */
  readonly chapters: readonly Chapter[];
}

export interface Page {
  readonly title: string;
  /** The chapter that it shows; undefined: it is no chapter. */
  readonly chapter?: string;
  /** The search term. */
  readonly searched?: string;
  readonly content: string;
}

export const MAX_SEARCH_LENGTH = 100;

/** Nothing but the one style sheet and the one script is let in, and the form leads nowhere else. */
export const SECURITY_POLICY = `default-src 'none'; script-src '${hashOf(SCRIPT)}'; style-src '${hashOf(STYLE)}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

export function pageHtml({ version, chapters }: Site, { title, chapter, searched = '', content }: Page): string {
  // Pages of chapters are one step deeper; links that begin here work behind any proxy and context path.
  const home = chapter === undefined ? 'docs' : '../docs';
  const linkOf = ({ anchor, title: name }: Chapter) =>
    `<li><a href="${home}/${anchor}"${anchor === chapter ? ' aria-current="page"' : ''}>${escaped(name)}</a></li>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<div class="side"><header><a class="home" href="${home}">Slipway API</a> <small>${escaped(version)}</small>
<form role="search" action="${home}"><input type="search" name="q" value="${escaped(searched)}" maxlength="${MAX_SEARCH_LENGTH}" placeholder="Search" aria-label="Search the documentation"><button>Search</button></form>
<a class="to-chapters" href="#chapters">All chapters</a></header>
<nav id="chapters" aria-label="Chapters"><ol>${chapters.map(linkOf).join('')}</ol>
<p><a href="${home.replace('docs', 'openapi.json')}">OpenAPI description</a></p></nav></div>
<main id="content">
${content}
</main>
<p id="copy-status" class="unseen" role="status"></p>
<script>${SCRIPT}</script>
</body>
</html>
`;
}
