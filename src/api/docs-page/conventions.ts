// The conventions of all routes, stated once at the beginning of the page.
export const CONVENTIONS = `<section id="conventions"><h2>Conventions</h2>
<p>Every request needs a login, unless its route says that it is for anyone: <code>Authorization: Basic …</code>, or <code>Authorization: bearer …</code> with an access token.</p>
<p>Ask for a version with <code>Accept: application/vnd.svc.vN+json</code>; <code>application/vnd.svc+json</code> or no header takes the newest.</p>
<p>Bodies are JSON, unless a route says otherwise. A POST, PUT or PATCH without a body needs the header <code>X-Svc-Confirm: true</code>. Fields the server does not know are ignored; so are query parameters, except by the lists of events and of revisions, which refuse them with 400.</p>
<p>An <code>ETag</code> names a version of an object. Send it as <code>If-None-Match</code> to hear only of changes, and as <code>If-Match</code> with a PUT, PATCH or DELETE, so that no user's change is lost: a stale one is answered with 412. <code>If-Match: *</code> means the current version. For configuration the 412 says in <code>data</code> who has changed what since; with <code>Prefer: merge</code> a PUT is merged instead, where nothing overlaps.</p>
<p>Add <code>?dry_run=true</code> to any write to get the verdict and the answer without the change. A query parameter that is given twice is refused, unless it is a list. The header <code>X-Svc-Reason</code> says why a change of the configuration is made, and is kept in the change log.</p>
<p>Add <code>?at=</code> with a revision or a time to a GET of configuration to see it as it was then. Routes without history answer 400.</p>
<h3>Try it with curl</h3>
<p>Every example is a line for a shell. Say once where the server is, and who you are; the <code>slipway</code> command line takes the same variables:</p>
<pre><code>export SLIPWAY_URL=http://127.0.0.1:8153 SLIPWAY_USER=admin
read -rsp 'Password: ' SLIPWAY_PASSWORD &amp;&amp; export SLIPWAY_PASSWORD</code></pre>
<p>Where <code>If-Match</code> is needed the examples send <code>*</code>. A program sends the <code>ETag</code> it has read.</p>
<h3>When something goes wrong</h3>
<p>The answer is JSON with a <code>message</code>. What is wrong with a body is answered with 422, all at once: <code>message</code> says it in words, <code>data</code> is the object with <code>errors</code> beside the fields.</p>
<dl>
<dt>401</dt><dd>No login, or a wrong one.</dd>
<dt>403</dt><dd>Not allowed; or a browser says, by <code>Origin</code> or <code>Sec-Fetch-Site</code>, that a page of another site sends the write.</dd>
<dt>404</dt><dd>There is nothing at this address, or not in the version that was asked for; <code>supported</code> has the versions there are.</dd>
<dt>413, 415</dt><dd>The body is larger than 10 MiB, or not sent as JSON.</dd>
<dt>429, 503</dt><dd>Too many failed logins, or the source of users cannot be asked; <code>Retry-After</code> says when to try again.</dd>
<dt>500</dt><dd>A fault of the server: its log has the details under the id in the header <code>X-Request-Id</code>.</dd>
</dl></section>`;
