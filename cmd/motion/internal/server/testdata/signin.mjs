// A service that asks who one is.
//
// usage: node signin.mjs MODULES CHROMIUM FOLDER URL IMAGE
import { args, choose, expect, finish, launch, opened, page, shot, sound, step, visit } from './page.mjs';

const [url, image] = args;
await launch();
step('signing in');
await visit(url, { colorScheme: 'dark' });
await page.getByLabel('Client id').fill('someone');
await page.getByLabel('Client secret').fill('wrong');
expect(/status of 401/);
await page.keyboard.press('Enter');
await page.getByText('The client id or secret is wrong.').waitFor();
expect(null);
await sound('sign in');
await shot('login');
await page.getByLabel('Client secret').fill('very-secret');
await page.getByRole('button', { name: 'Sign in' }).click();
await page.getByRole('heading', { name: 'Film a movement. See every angle.' }).waitFor();
await page.reload();
await page.getByRole('button', { name: 'Sign out' }).waitFor();
await choose('Choose movies', image);
await opened('sample');
await page.getByRole('button', { name: 'Sign out' }).click();
await page.getByLabel('Client id').waitFor();

await finish();
