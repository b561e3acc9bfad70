using System.Runtime.InteropServices;

namespace IoBench.Application.Tests;

/// <summary>Creates hard links and pipes, which .NET cannot create.</summary>
internal static partial class FileLinks
{
    public static void CreateHardLink(string from, string to) => Assert.Equal(0, HardLink(from, to));

    public static void CreatePipe(string path) => Assert.Equal(0, MakePipe(path, 0x1B6));

    [LibraryImport("libc", EntryPoint = "link", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int HardLink(string from, string to);

    [LibraryImport("libc", EntryPoint = "mkfifo", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int MakePipe(string path, uint mode);
}
