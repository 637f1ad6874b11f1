// The page that shows the version of the server: one public client reads it there before every call.
import { TEXT } from '../../../shape/json/schemas.ts';
import { escaped } from '../../docs-page/html.ts';
import type { Route } from '../../engine/route.ts';
import { htmlAnswer } from '../../http/html-answer.ts';

/** `version` as people quote it; it begins with the number by which clients choose API versions. */
export function aboutPageRoute(version: string): Route {
  const page = aboutPage(version);
  return {
    method: 'GET',
    path: '/about',
    version: null,
    permission: 'user',
    description: {
      chapter: 'version',
      summary: 'The version of the server as a page',
      details: 'For clients that read it from a table cell after one that says `Server Version`. Others ask `GET /api/version`.',
      response: TEXT,
      type: 'text/html',
      example: page,
    },
    handle: () => htmlAnswer(page),
  };
}

function aboutPage(version: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>About Slipway</title></head>
<body>
<h1>About this server</h1>
<table><tr><td>Server Version:</td><td>${escaped(version)}</td></tr></table>
</body>
</html>
`;
}
