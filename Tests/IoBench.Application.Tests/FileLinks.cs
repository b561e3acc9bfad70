using System.Runtime.InteropServices;

namespace IoBench.Application.Tests;

/// <summary>Creates hard links and pipes, which .NET cannot create.</summary>
internal static partial class FileLinks
{
    public static void CreateHardLink(string from, string to) => Assert.Equal(0, HardLink(from, to));

    public static void CreatePipe(string path) => Assert.Equal(0, MakePipe(path, 0x1B6));

    public static void SetAttribute(string path, string name, string value) =>
        Assert.Equal(0, SetAttribute(path, name, value, value.Length, 0));

    public static unsafe string? ReadAttribute(string path, string name)
    {
        var value = stackalloc byte[256];
        var length = GetAttribute(path, name, value, 256);
        return length < 0 ? null : System.Text.Encoding.UTF8.GetString(value, (int)length);
    }

    [LibraryImport("libc", EntryPoint = "setxattr", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int SetAttribute(string path, string name, string value, nint size, int flags);

    [LibraryImport("libc", EntryPoint = "getxattr", StringMarshalling = StringMarshalling.Utf8)]
    private static unsafe partial nint GetAttribute(string path, string name, byte* value, nint size);

    [LibraryImport("libc", EntryPoint = "link", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int HardLink(string from, string to);

    [LibraryImport("libc", EntryPoint = "mkfifo", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int MakePipe(string path, uint mode);
}
