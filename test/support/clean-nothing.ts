import type { CleanRequest } from '#admin';

/** A request without actions. Tests add actions to it. */
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
