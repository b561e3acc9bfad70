using System.Globalization;

namespace IoBench.Engine;

internal static class VerificationPass
{
    public static void ReportUnknownContent(
        VerifiedTarget target,
        IntegrityErrorLog log,
        ReadOnlySpan<byte> block,
        long offset,
        long foreign
    )
    {
        Span<byte> fill = stackalloc byte[TestFileContent.BlockSize];
        var expected = target.TryFill(fill[..block.Length], offset, 0) ? fill[..block.Length] : default;
        var sector = block.Slice((int)(foreign - offset), Math.Min(BlockPayload.SectorSize, block.Length - (int)(foreign - offset)));
        var look = SectorInspection.Inspect(
            sector,
            foreign,
            0,
            target,
            expected.IsEmpty ? default : expected.Slice((int)(foreign - offset), sector.Length),
            isPoisoned: false
        );
        var place = BlockHeader.ReadOffset(sector, target.Content.Seed);
        var error = new IoIntegrityError
        {
            Phase = IoIntegrityPhase.FirstPass,
            Path = target.Path,
            Offset = foreign,
            Length = sector.Length,
            Time = DateTimeOffset.Now,
            Expected = "what the file was filled with, or a write of an earlier test",
            IsLasting = true,
        };
        (error.Kind, error.Found) = look.State switch
        {
            SectorState.Zero => (IoIntegrityErrorKind.Zeros, "zeros"),
            SectorState.Flipped => (
                IoIntegrityErrorKind.BitFlip,
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{look.Bits} changed bit(s), the first is bit {look.FirstBit % 8} of the byte at {foreign + look.FirstBit / 8:#,##0}"
                )
            ),
            _ when place >= 0 && place != foreign => (
                IoIntegrityErrorKind.MisdirectedWrite,
                string.Create(CultureInfo.InvariantCulture, $"a write of an earlier test to offset {place:#,##0}")
            ),
            _ => (IoIntegrityErrorKind.WrongContent, "bytes that no write of this file has"),
        };
        lock (log.SyncRoot)
            log.Add(error, target.Index, 0);
    }
}
