import { readExportRequest } from './read-export-request';

it.each(['none', 'low', 'moderate', 'full'])('profile %s', (profile) => {
  expect(readExportRequest(`/x?anonymization_profile=${profile}`)).toBe(profile);
});

it('is none where nothing is said', () => expect(readExportRequest('/x')).toBe('none'));

it.each([
  ['anonymization_profile=ful', "'ful'"],
  ['anonymization_profile=', "''"],
  ['anonymization_profile=full&anonymization_profile=none', "'full,none'"],
  ['anonymise=full', "parameter 'anonymise'"],
])('refuses %s', (query, reason) => {
  expect(() => readExportRequest(`/x?${query}`)).toThrow(
    expect.objectContaining({ code: 'archive.parameter', message: expect.stringContaining(reason) as string }) as Error,
  );
});
