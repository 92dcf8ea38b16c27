import { excerpt, Fault } from '#fault';
import { type AnonymizationProfile, anonymizationProfiles } from '../../anonymize/profiles';

/** Takes the query parameters of a request. Fault `archive.parameter` (malformed). */
export function readExportRequest(parameters: Readonly<Record<string, unknown>>): AnonymizationProfile {
  const { anonymization_profile: profile = 'none', ...others } = parameters;
  const [other] = Object.keys(others);
  if (other !== undefined) {
    throw new Fault('malformed', 'archive.parameter', `there is no parameter '${excerpt(other)}'`, {
      hint: 'The only parameter of an export is anonymization_profile.',
    });
  }
  const known = anonymizationProfiles.find((name) => name === profile);
  if (known !== undefined) return known;
  // PuppetDB answers with everything as it is: whoever misspells a profile must not give away what it hides.
  throw new Fault('malformed', 'archive.parameter', `there is no anonymization_profile '${excerpt(String(profile))}'`, {
    hint: `Profiles are ${anonymizationProfiles.join(', ')}.`,
  });
}
