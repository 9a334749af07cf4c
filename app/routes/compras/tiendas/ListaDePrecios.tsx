import { NativeSelect } from '@mantine/core';
import { Form } from '@remix-run/react';
import { enMiles } from '~/core/importe';
import { MAX_LISTA_MB } from '~/domain/compras/catalogo/producto';
import type { ListaVista } from '~/domain/compras/catalogo/listaPrecios.server';
import { ArchivoInput } from '~/ui/ArchivoInput';
import { Boton } from '~/ui/Boton';
import { Panel } from '~/ui/Blocks';
import { Visto } from '~/ui/Choque';
import { Fecha } from '~/ui/Fecha';
import { formatPesos } from '~/ui/Pesos';
import { TablaCaja } from '~/ui/TablaCaja';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden } from '~/ui/useAnswer';

type Props = { value: string; label: string; lista: ListaVista | null };

/** A supplier's price list as a file. The server reads and counts the file first; nothing changes until somebody applies the list. */
export function ListaDePrecios({ value, label, lista }: Props) {
  return (
    <div id={`lista-${value}`} className="apilado lista-precios">
      <h3>Lista de precios</h3>
      <EnviarLista value={value} label={label} />
      {lista && <ListaEnEspera key={lista.id} value={value} lista={lista} />}
    </div>
  );
}

function EnviarLista({ value, label }: Pick<Props, 'value' | 'label'>) {
  const form = useActionForm<{ archivo: string; moneda: string }>('lista', { id: `archivo-${value}` });
  const error = form.fields.archivo.errors?.[0];
  const id = `archivo-de-${value}`;
  return (
    <ActionForm of={form} encType="multipart/form-data">
      <Hidden proveedor={value} />
      <div className="campos">
        <div className="archivo">
          <label htmlFor={id}>Archivo de {label} (XLSX o CSV)</label>
          <ArchivoInput
            id={id}
            name="archivo"
            accept=".xlsx,.csv,.txt,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
            required
            aria-invalid={error !== undefined}
            aria-describedby={`${id}-nota`}
          />
          <p id={`${id}-nota`} className={error ? 'error' : 'nota'}>
            {error ?? `Máximo ${MAX_LISTA_MB} MB. Verás qué cambia antes de aplicarla.`}
          </p>
        </div>
        <NativeSelect
          name="moneda"
          label="Moneda de sus precios"
          data={[
            { value: '', label: 'La que diga cada renglón' },
            { value: 'USD', label: 'Dólares, si no la dice' },
            { value: 'MXN', label: 'Pesos, si no la dice' },
          ]}
        />
      </div>
      <div className="botones">
        <Boton type="submit" ocupado={form.pending !== undefined}>
          Enviar archivo
        </Boton>
      </div>
      <p role="status" className="nota">
        {form.pending !== undefined && 'Leyendo el archivo. Una lista larga tarda unos segundos…'}
      </p>
    </ActionForm>
  );
}

const n = (cuantos: number) => enMiles(String(cuantos));

function ListaEnEspera({ value, lista }: { value: string; lista: ListaVista }) {
  const { id, nombre, creadaEn, cuentas, huella, ilegibles, sinLeer, muestra } = lista;
  const form = useActionForm('aplicarLista', { id: `aplicar-${value}` });
  const sinUso = ilegibles + cuentas.desconocido;
  const cambian = cuentas.cambia + cuentas.nuevo;
  return (
    <div className="apilado">
      <p>
        <strong>{nombre}</strong>{' '}
        <span className="nota">
          enviada el <Fecha valor={creadaEn} />, sin aplicar
        </span>
      </p>
      <dl className="cuentas">
        <Cuenta de="Cambian" n={cuentas.cambia} />
        <Cuenta de="Nuevos" n={cuentas.nuevo} />
        <Cuenta de="Iguales" n={cuentas.igual} />
        <Cuenta de="Repetidos" n={cuentas.repetido} />
        <Cuenta de="Sin leer" n={sinUso} />
      </dl>
      {cuentas.saltan > 0 && (
        <Panel tono="aviso" titulo="Revisa la moneda y la columna del precio">
          {cuentas.saltan === 1 ? '1 precio cambia' : `${n(cuentas.saltan)} precios cambian`} de moneda, a menos de la
          mitad o a más del doble.
        </Panel>
      )}
      {muestra.length > 0 && (
        <TablaCaja nombre="Lo que cambiaría">
          <table className="tabla">
            <thead>
              <tr>
                <th>Producto</th>
                <th className="num antes">Precio antes</th>
                <th className="num">Precio ahora</th>
                <th className="num">Existencia</th>
              </tr>
            </thead>
            <tbody>
              {muestra.map(({ linea, modelo, nombre: producto, antes, despues, existenciaAntes, existencia }) => (
                <tr key={linea}>
                  <td title={producto ?? undefined}>{modelo ?? producto ?? `Renglón ${linea}`}</td>
                  <td className="num antes">{escrito(antes)}</td>
                  <td className="num">
                    {escrito(despues)}
                    <div className="nota">{escrito(antes)}</div>
                  </td>
                  <td className="num">{existenciaEscrita(existenciaAntes, existencia)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TablaCaja>
      )}
      {cambian > muestra.length && (
        <p className="nota">
          Se ven {muestra.length} de los {n(cambian)} que cambian.
        </p>
      )}
      {sinUso > 0 && (
        <details>
          <summary>{sinUso === 1 ? '1 renglón que no se usa' : `${n(sinUso)} renglones que no se usan`}</summary>
          <ul className="nota">
            {sinLeer.map((motivo) => (
              <li key={motivo}>{motivo}</li>
            ))}
          </ul>
          {sinUso > sinLeer.length && <p className="nota">Se ven los primeros {sinLeer.length}.</p>}
        </details>
      )}
      <div className="botones">
        <Form method="post" preventScrollReset>
          <Hidden intent="descartarLista" proveedor={value} lista={id} />
          <button className="boton" type="submit">
            Descartar
          </button>
        </Form>
        <ActionForm of={form}>
          <Hidden proveedor={value} lista={id} />
          <Visto of={form} marcas={{ huella }} />
          <Boton tono="acento" type="submit" ocupado={form.pending !== undefined}>
            Aplicar la lista
          </Boton>
        </ActionForm>
      </div>
    </div>
  );
}

const escrito = (precio: { importe: string; moneda: string } | null) =>
  precio ? `${formatPesos(precio.importe)} ${precio.moneda}` : 'Nuevo';

/** Writes the stock before and after; '—' where the list tells no stock. */
function existenciaEscrita(antes: number | null, ahora: number | null) {
  if (ahora === null) return '—';
  return antes === null || antes === ahora ? n(ahora) : `${n(antes)} → ${n(ahora)}`;
}

function Cuenta({ de, n: cuantos }: { de: string; n: number }) {
  return (
    <div>
      <dt>{de}</dt>
      <dd>{n(cuantos)}</dd>
    </div>
  );
}
