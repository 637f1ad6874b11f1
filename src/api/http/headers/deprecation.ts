// The headers that announce to clients that an API version is going away.
import type { Deprecation, Route } from '../../engine/route.ts';
import { mediaType, type Vendor } from './vendor.ts';

export interface DeprecationContext {
  readonly vendor: Vendor;
  /** The address of the request without its query. */
  readonly address: string;
  readonly base: string;
  readonly serverVersion: string;
}

export function deprecationHeaders(
  route: Route,
  deprecation: Deprecation,
  { vendor, address, base, serverVersion }: DeprecationContext,
): string[] {
  const { entity, deprecatedIn, removedIn, successor } = deprecation;
  const version = `The ${entity} API version v${route.version} has been deprecated`;
  const warning =
    successor === undefined
      ? `${version} without replacement in Slipway Release v${deprecatedIn}. This API will be removed in Slipway Release v${removedIn}. ${deprecation.suggestion ?? ''}`.trim()
      : `${version} in Slipway Release v${deprecatedIn}. This version will be removed in Slipway Release v${removedIn}. Version v${successor} of the API is available, and users are encouraged to use it`;
  const headers = [
    `X-${vendor.header}-API-Deprecated-In`,
    `v${deprecatedIn}`,
    `X-${vendor.header}-API-Removal-In`,
    `v${removedIn}`,
    `X-${vendor.header}-API-Deprecation-Info`,
    `${base}/api/docs#api-changelog`,
    'Warning',
    `299 Slipway/v${serverVersion} "${warning}"`,
  ];
  if (successor !== undefined) headers.push('Link', `<${address}>; Accept="${mediaType(vendor, successor)}"; rel="successor-version"`);
  return headers;
}
