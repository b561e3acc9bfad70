#!/bin/sh
# Draws the pictures of README and docs from files of results, as LibreOffice shows the workbook:
# report.png and report-latency.png from the first file (a suite), report-sweep.png from the second (a sweep).
# Usage: docs/images/draw.sh SUITE SWEEP     needs: iobench on the PATH, soffice, pdftoppm, pdftotext
set -eu
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# draw RESULTS TITLE PICTURE HEIGHT: the page that begins with the title (the first one when it is empty), so many pixels high.
draw() {
    if [ ! -e "$work/$(basename "$1").pdf" ]; then
        iobench report "$1" --output "$work/$(basename "$1").xlsx" --quiet
        soffice --headless "-env:UserInstallation=file://$work/profile" --convert-to pdf --outdir "$work" "$work/$(basename "$1").xlsx" >/dev/null
    fi
    pdf="$work/$(basename "$1").pdf"
    page=1
    until [ -z "$2" ] || pdftotext -f "$page" -l "$page" "$pdf" - | head -n 1 | grep -q "^$2"; do
        page=$((page + 1))
        [ "$page" -lt 100 ] || { echo "no page of $1 begins with $2" >&2; exit 1; }
    done
    pdftoppm -png -singlefile -r 110 -x 20 -y 20 -W 1190 -H "$4" -f "$page" -l "$page" "$pdf" "$here/$3"
}

draw "$1" "" report 790
draw "$1" "Latency:" report-latency 770
draw "$2" "Sweep:" report-sweep 770
