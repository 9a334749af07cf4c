import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The SAT's XSD with its stamp. */
const SCHEMA = fileURLToPath(new URL('./sat/cfd/cfdi40-con-timbre.xsd', import.meta.url));

/** The schema faults of a stamped CFDI; none when it is valid. */
export async function xsdFaults(xml: string): Promise<string[]> {
  const validator = await loadValidator();
  const { XmlDocument, XmlValidateError } = await import('libxml2-wasm');
  const document = XmlDocument.fromString(xml);
  try {
    validator.validate(document);
    return [];
  } catch (error) {
    if (error instanceof XmlValidateError) return error.details.map((detail) => detail.message.trim());
    throw error;
  } finally {
    document.dispose();
  }
}

let loading: ReturnType<typeof compile> | undefined;

/** Compiled once per process: 0.1 s. */
function loadValidator() {
  return (loading ??= compile());
}

async function compile() {
  const { XmlDocument, XsdValidator } = await import('libxml2-wasm');
  const { xmlRegisterFsInputProviders } = await import('libxml2-wasm/lib/nodejs.mjs');
  xmlRegisterFsInputProviders();
  return XsdValidator.fromDoc(XmlDocument.fromBuffer(readFileSync(SCHEMA), { url: pathToFileURL(SCHEMA).href }));
}
