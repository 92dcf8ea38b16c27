import { excerpt, Fault } from '#fault';
import { type AnonymizationProfile, anonymizationProfiles } from '../../anonymize/profiles';

export function readExportRequest(url: string): AnonymizationProfile {
  const parameters = new URLSearchParams(url.split('?').slice(1).join('?'));
  const other = [...parameters.keys()].find((name) => name !== 'anonymization_profile');
  if (other !== undefined) {
    throw new Fault('malformed', 'archive.parameter', `there is no parameter '${excerpt(other)}'`, {
      hint: 'The only parameter of an export is anonymization_profile.',
    });
  }
  const given = parameters.getAll('anonymization_profile');
  const profile = given.length === 0 ? 'none' : given.join();
  const known = anonymizationProfiles.find((name) => name === profile);
  if (known !== undefined) return known;
  // PuppetDB ignores an unknown profile and exports everything. So a typing error could reveal data that the profile
  // would hide.
  throw new Fault('malformed', 'archive.parameter', `there is no anonymization_profile '${excerpt(profile)}'`, {
    hint: `Profiles are ${anonymizationProfiles.join(', ')}.`,
  });
}
