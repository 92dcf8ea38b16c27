import type { CleanRequest } from '#admin';

/** A request of which nothing is asked. Tests add to it. */
export const cleanNothing: CleanRequest = {
  expireNodes: false,
  purgeNodes: undefined,
  purgeReports: false,
  purgeEvents: false,
  collectPackages: false,
  collectResources: false,
  collectPaths: false,
  collectOther: false,
};
