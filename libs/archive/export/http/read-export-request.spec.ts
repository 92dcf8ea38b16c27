import { readExportRequest } from './read-export-request';

it.each(['none', 'low', 'moderate', 'full'])('profile %s', (profile) => {
  expect(readExportRequest({ anonymization_profile: profile })).toBe(profile);
});

it('is none where nothing is said', () => expect(readExportRequest({})).toBe('none'));

it.each([
  [{ anonymization_profile: 'ful' }, "'ful'"],
  [{ anonymization_profile: '' }, "''"],
  [{ anonymization_profile: ['full', 'none'] }, "'full,none'"],
  [{ anonymise: 'full' }, "parameter 'anonymise'"],
])('refuses %j', (parameters, reason) => {
  expect(() => readExportRequest(parameters)).toThrow(expect.objectContaining({ code: 'archive.parameter' }));
  expect(() => readExportRequest(parameters)).toThrow(reason);
});
