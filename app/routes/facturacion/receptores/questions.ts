import type { Question } from '~/core/fieldRules';
import { hechosOf, changesOf } from '~/core/hechos';
import type { ClienteEscrito } from '~/domain/facturacion/receptores/forms';

type Campo = Exclude<keyof typeof ClienteEscrito.shape, 'version'>;

const ETIQUETAS: Record<Campo, string> = {
  razonSocial: 'Razón Social',
  regimen: 'Régimen',
  cp: 'Código postal',
  colonia: 'Colonia',
  calle: 'Calle',
  numeroExterior: 'Número ext.',
  numeroInterior: 'Número int.',
  ciudad: 'Ciudad',
  municipio: 'Municipio',
  estado: 'Estado',
  nombre: 'Nombre',
  apellidos: 'Apellidos',
  telefono: 'Teléfono',
  email: 'Email',
  email2: 'Email 2',
  email3: 'Email 3',
};

type Guardado = Pick<
  Record<Campo, string | null>,
  Exclude<Campo, 'municipio' | 'email' | 'email2' | 'email3' | 'razonSocial' | 'cp' | 'regimen'>
> &
  Record<'razonSocial' | 'cp' | 'regimen', string> & { delegacion: string | null; emails: string[] };

/** Returns a record in the shape of its form. */
export function escritoOf({
  emails: [email = '', email2 = '', email3 = ''],
  delegacion,
  ...cliente
}: Guardado): Record<Campo, string> {
  const { razonSocial, cp, regimen } = cliente;
  return {
    razonSocial,
    cp,
    regimen,
    email,
    email2,
    email3,
    nombre: cliente.nombre ?? '',
    apellidos: cliente.apellidos ?? '',
    telefono: cliente.telefono ?? '',
    colonia: cliente.colonia ?? '',
    calle: cliente.calle ?? '',
    numeroExterior: cliente.numeroExterior ?? '',
    numeroInterior: cliente.numeroInterior ?? '',
    ciudad: cliente.ciudad ?? '',
    municipio: delegacion ?? '',
    estado: cliente.estado ?? '',
  };
}

/** The question before tax data are saved: the changes, and the documents that stay as they are. */
export function askSaveCliente(
  antes: Guardado,
  despues: Partial<Record<Campo, string | undefined>>,
  fijos: string | null,
): Question {
  const razonSocial = despues.razonSocial?.toUpperCase();
  return {
    titulo: 'Guardar información',
    texto: '¿Esta seguro que desea guardar la información?',
    hechos: hechosOf(changesOf(ETIQUETAS, escritoOf(antes), { ...despues, razonSocial }), fijos),
  };
}
