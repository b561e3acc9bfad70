using System.Runtime.InteropServices;
using IoBench.Analysis;
using IoBench.Engine;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Application;

internal static class BufferingChecks
{
    private const string AlignmentCode = "Alignment",
        AlignmentSubject = "Alignment";
    private const int PageSize = 4096;

    public static IEnumerable<SelfTestCheck> CheckAlignment(SelfTestContext context)
    {
        var files = PlatformFiles.Current;
        var sector = context.Target.LogicalSectorSize;
        using var handle = files.OpenToRead(context.Path);
        using var direct = files.TryReopenUnbuffered(handle, context.Path, write: false);
        if (direct is null)
        {
            yield return SelfTestCheck.CannotTell(
                AlignmentCode,
                AlignmentSubject,
                "this file system does not do unbuffered I/O.",
                "Name a folder on the disk that matters"
            );
            yield break;
        }
        var memory = GetMemoryAlignment(handle) is { } bytes
            ? FormattableString.Invariant($" Buffers are at multiples of {bytes} bytes.")
            : "";
        var sizes = FormattableString.Invariant(
            $"sectors of {sector} bytes, {context.Target.Facts.GetValueOrDefault("Physical sector size")} bytes at the device"
        );
        var figure = new FindingEvidence("Sector", sector, "bytes");
        if (!CanRead(direct, sector, sector))
            yield return SelfTestCheck.Fail(
                AlignmentCode,
                AlignmentSubject,
                $"{sizes}: an unbuffered read of one sector is refused.",
                "Use blocks of 4 KB and more here, and report it",
                figure
            );
        else if (CanRead(direct, sector / 2, sector))
            yield return SelfTestCheck.CannotTell(
                AlignmentCode,
                AlignmentSubject,
                $"{sizes}: unbuffered reads between sectors are taken too, so that nothing shows what is buffered.{memory}",
                null,
                figure
            );
        else
            yield return SelfTestCheck.Pass(
                AlignmentCode,
                AlignmentSubject,
                $"{sizes}: unbuffered reads of whole sectors are taken, others refused.{memory}",
                null,
                figure
            );
    }

    private static unsafe bool CanRead(SafeFileHandle file, long offset, int length)
    {
        var memory = (byte*)NativeMemory.AlignedAlloc((nuint)length, PageSize);
        try
        {
            return PlatformFiles.Current.Read(file, new Span<byte>(memory, length), offset) == length;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or IoBenchException)
        {
            return false;
        }
        finally
        {
            NativeMemory.AlignedFree(memory);
        }
    }

    // FILE_ALIGNMENT_INFO is a mask: alignment minus 1.
    private static unsafe uint? GetMemoryAlignment(SafeFileHandle file)
    {
        uint mask;
        return
            PlatformFiles.Current is WindowsFiles windows
            && windows.Calls.GetInformation(file, WindowsCalls.FileAlignmentInfo, &mask, sizeof(uint)) == 0
            ? mask + 1
            : null;
    }
}
