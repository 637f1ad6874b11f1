// Requests that are not proper HTTP, by name.
export function malformedRequests(authorization: string): Readonly<Record<string, string>> {
  const get = (more: string, path = '/api/version', version = '1.1') =>
    `GET ${path} HTTP/${version}\r\nConnection: close\r\nAuthorization: ${authorization}\r\n${more}\r\n`;
  const post = (more: string, body: string) =>
    `POST /api/admin/environments HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\n${more}\r\n${body}`;
  return {
    'no HTTP at all': 'hello\r\n\r\n',
    'binary bytes': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n',
    'only a line end': '\r\n\r\n\r\nx\r\n\r\n',
    'a request line without end': 'GET /api/version',
    'HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'HTTP/0.9': 'GET /api/version\r\n\r\n',
    'HTTP/9.9': get('Host: x\r\n', '/api/version', '9.9'),
    'HTTP/1.0': get('', '/api/version', '1.0'),
    CONNECT: 'CONNECT example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n',
    'OPTIONS *': 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'an unknown method': 'FROBNICATE /api/version HTTP/1.1\r\nHost: x\r\n\r\n',
    'no Host': get(''),
    'two Hosts': get('Host: x\r\nHost: y\r\n'),
    'an unknown expectation': get('Host: x\r\nExpect: the unexpected\r\n'),
    'a header without a colon': get('Host: x\r\nnonsense\r\n'),
    'a header with a null byte': get('Host: x\r\nX-Odd: a\0b\r\n'),
    'a folded header': get('Host: x\r\nX-Odd: a\r\n b\r\n'),
    'a space before the colon': get('Host: x\r\nX-Odd : a\r\n'),
    'bare line feeds': get('Host: x\r\n').replaceAll('\r\n', '\n'),
    'bytes in the address': get('Host: x\r\n', '/api/\xff\xfe'),
    'an address without a slash': get('Host: x\r\n', 'api/version'),
    'a long address': get('Host: x\r\n', `/api/${'a'.repeat(40_000)}`),
    'a large header': get(`Host: x\r\nX-Large: ${'a'.repeat(40_000)}\r\n`),
    'a thousand headers': get(`Host: x\r\n${'X: y\r\n'.repeat(1000)}`),
    'a negative length': post('Content-Length: -5\r\n', '{}'),
    'a length that is no number': post('Content-Length: 0x10\r\n', '{}'),
    'two lengths': post('Content-Length: 2\r\nContent-Length: 3\r\n', '{}'),
    'length and chunks': post('Content-Length: 2\r\nTransfer-Encoding: chunked\r\n', '2\r\n{}\r\n0\r\n\r\n'),
    'an unknown encoding': post('Transfer-Encoding: gzip\r\n', '{}'),
    'a chunk size that is none': post('Transfer-Encoding: chunked\r\n', 'zz\r\n{}\r\n'),
    'a huge chunk size': post('Transfer-Encoding: chunked\r\n', 'ffffffffffffffff\r\n{}\r\n'),
    'chunks cut off': post('Transfer-Encoding: chunked\r\n', '5\r\n{'),
    'a body cut off': post('Content-Length: 500\r\n', '{"name":'),
  };
}
