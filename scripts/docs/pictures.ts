import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp, { type OutputInfo } from 'sharp';

const folder = join(__dirname, '../../docs/pictures');

/** The difference of a color that the eye doesn't see, of 255. */
const tolerance = 24;

const readPixels = (picture: Buffer): Promise<{ data: Buffer; info: OutputInfo }> =>
  sharp(picture, { animated: true }).removeAlpha().raw().toBuffer({ resolveWithObject: true });

/** Whether two pictures of the same size differ in less than a share of their colors. */
const isSimilar = async (one: Buffer, other: Buffer, maxDifference: number): Promise<boolean> => {
  const [before, after] = await Promise.all([readPixels(one), readPixels(other)]);
  if (before.info.width !== after.info.width || before.info.height !== after.info.height) return false;
  let different = 0;
  for (const [at, value] of after.data.entries()) {
    if (Math.abs(value - (before.data[at] ?? 0)) > tolerance) different += 1;
  }
  return different < after.data.length * maxDifference;
};

/** Writes a picture. Keeps one that shows nearly the same, so that Git has no version for every run. */
const write = async (file: string, picture: Buffer, maxDifference: number): Promise<void> => {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, file);
  if (existsSync(path) && (await isSimilar(readFileSync(path), picture, maxDifference))) {
    return console.log(`Kept docs/pictures/${file}, which looks nearly the same.`);
  }
  writeFileSync(path, picture);
  console.log(`Wrote docs/pictures/${file}.`);
};

/** The space around a picture of a part of the page, in pixels of the picture. */
const margin = { top: 48, bottom: 48, left: 48, right: 48, background: { r: 0, g: 0, b: 0, alpha: 0 } };

/**
 * Writes a screenshot as a PNG of few colors, unless less than a share of the picture that is there has changed. A part of
 * the page gets a margin.
 */
export const writePicture = async (
  name: string,
  screenshot: Buffer,
  maxDifference: number,
  isPart = false,
): Promise<void> => {
  const framed = isPart ? sharp(screenshot).extend(margin) : sharp(screenshot);
  const picture = await framed.png({ palette: true, colours: 128, dither: 0, effort: 10 }).toBuffer();
  await write(`${name}.png`, picture, maxDifference);
};

/** Removes all pictures, so that the next ones are written even if they show nearly the same. */
export const removePictures = (): void => rmSync(folder, { recursive: true, force: true });
