// Whether a browser asks for something in order to show it as a page: the user has followed a link, or typed an address.
import { acceptedTypes } from './headers/negotiate.ts';

/** `purpose` is the header `Sec-Fetch-Dest`. Old browsers do not send it. Frames, pictures and scripts are no pages. */
export function isNavigation(accept = '', purpose?: string | string[]): boolean {
  if (purpose !== undefined && purpose !== 'document') return false;
  return accept.includes('text/html') && acceptedTypes(accept).accepted.includes('text/html');
}
