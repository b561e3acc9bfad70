using System.Runtime.InteropServices;
using IoBench.Analysis;
using IoBench.Engine;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Application;

internal static class AlignmentCheck
{
    private const string Code = "Alignment",
        Subject = "Alignment";
    private const int Page = 4096;

    public static IEnumerable<SelfTestCheck> Make(SelfTestContext context)
    {
        var files = PlatformFiles.Current;
        var sector = context.Prepared.LogicalSectorSize;
        using var handle = files.OpenToRead(context.Path);
        using var direct = files.TryReopenUnbuffered(handle, context.Path, write: false);
        if (direct is null)
        {
            yield return SelfTestCheck.CannotTell(
                Code,
                Subject,
                "this file system does not do unbuffered I/O.",
                "Name a folder on the disk that matters"
            );
            yield break;
        }
        var memory = Memory(handle) is { } bytes ? FormattableString.Invariant($" Buffers are at multiples of {bytes} bytes.") : "";
        var sizes = FormattableString.Invariant(
            $"sectors of {sector} bytes, {context.Prepared.Facts.GetValueOrDefault("Physical sector size")} bytes at the device"
        );
        var figure = new FindingFigure("Sector", sector, "bytes");
        if (!Reads(direct, sector, sector))
            yield return SelfTestCheck.Fail(
                Code,
                Subject,
                $"{sizes}: an unbuffered read of one sector is refused.",
                "Use blocks of 4 KB and more here, and report it",
                figure
            );
        else if (Reads(direct, sector / 2, sector))
            yield return SelfTestCheck.CannotTell(
                Code,
                Subject,
                $"{sizes}: unbuffered reads between sectors are taken too, so that nothing shows what is buffered.{memory}",
                null,
                figure
            );
        else
            yield return SelfTestCheck.Pass(
                Code,
                Subject,
                $"{sizes}: unbuffered reads of whole sectors are taken, others refused.{memory}",
                null,
                figure
            );
    }

    private static unsafe bool Reads(SafeFileHandle file, long offset, int length)
    {
        var memory = (byte*)NativeMemory.AlignedAlloc((nuint)length, Page);
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
    private static unsafe uint? Memory(SafeFileHandle file)
    {
        uint mask;
        return
            PlatformFiles.Current is WindowsFiles windows
            && windows.Calls.Information(file, WindowsCalls.FileAlignmentInfo, &mask, sizeof(uint)) == 0
            ? mask + 1
            : null;
    }
}
