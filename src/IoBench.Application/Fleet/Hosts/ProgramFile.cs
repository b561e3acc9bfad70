using System.Security.Cryptography;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>A program file to copy to hosts, identified by its SHA-256.</summary>
/// <param name="Hash">SHA-256 as 64 lowercase hexadecimal digits.</param>
public sealed record ProgramFile(string Path, string Hash, long Length)
{
    private const int Block = 1 << 18;

    public static ProgramFile FromPath(string path)
    {
        ArgumentNullException.ThrowIfNull(path);
        try
        {
            using var stream = File.OpenRead(path);
            // A framework-dependent .NET program needs its DLL in the same folder, and only this file would be copied.
            if (File.Exists(System.IO.Path.ChangeExtension(path, ".runtimeconfig.json")))
                throw IoBenchException.Usage(
                    FleetErrorIds.ProgramFile,
                    $"{path} requires the other files in its folder. Specify the single-file program for the operating system of the hosts.",
                    path
                );
            CryptoLibrary.RequireInstalled();
            return new ProgramFile(path, Convert.ToHexString(SHA256.HashData(stream)).ToLowerInvariant(), stream.Length);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw IoBenchException.NotFound(FleetErrorIds.ProgramFile, $"{path} cannot be read: {e.Message}", path);
        }
    }

    internal void WriteTo(Stream stream, Action goesOn)
    {
        using var file = File.OpenRead(Path);
        var block = new byte[Block];
        for (int count; (count = file.Read(block)) > 0; goesOn())
            stream.Write(block, 0, count);
        stream.Flush();
    }
}
