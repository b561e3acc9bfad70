using System.IO.Compression;
using System.Security.Cryptography;
using System.Text;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>The loaded module as a zip file in memory, to run tests on another computer.</summary>
/// <param name="Key">Version and hash of the content, unique for each build.</param>
/// <param name="Builds">Module version id of each assembly, by the name of the assembly.</param>
public sealed record ModuleArchive(string Key, byte[] Bytes, IReadOnlyDictionary<string, string> Builds)
{
    private static readonly string[] s_extensions = [".ps1", ".psd1", ".psm1", ".ps1xml"];

    public static ModuleArchive Create()
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        using var memory = new MemoryStream();
        Dictionary<string, string> builds = [];
        using (var zip = new ZipArchive(memory, ZipArchiveMode.Create, leaveOpen: true))
        {
            foreach (var (name, path) in GetFiles().OrderBy(file => file.Name, StringComparer.Ordinal))
            {
                var bytes = File.ReadAllBytes(path);
                hash.AppendData(Encoding.UTF8.GetBytes(name));
                hash.AppendData(bytes);
                using var entry = zip.CreateEntry(name).Open();
                entry.Write(bytes);
                if (name.EndsWith(".dll", StringComparison.Ordinal))
                    builds[System.IO.Path.GetFileNameWithoutExtension(name)] = ReadModuleVersionId(bytes);
            }
        }
        return new ModuleArchive(
            $"{IoTestResult.OwnVersion}-{Convert.ToHexString(hash.GetHashAndReset())[..16].ToLowerInvariant()}",
            memory.ToArray(),
            builds
        );
    }

    private static IEnumerable<(string Name, string Path)> GetFiles()
    {
        var lib = System.IO.Path.GetDirectoryName(typeof(IoSize).Assembly.Location)!;
        var root = System.IO.Path.GetDirectoryName(lib)!;
        foreach (var folder in new[] { "", "Private/" })
        foreach (
            var file in Directory
                .EnumerateFiles(System.IO.Path.Combine(root, folder), "IoBench.*")
                .Where(file => s_extensions.Contains(System.IO.Path.GetExtension(file)))
        )
            yield return (folder + System.IO.Path.GetFileName(file), file);
        foreach (var file in Directory.EnumerateFiles(lib, "IoBench.*.dll"))
            yield return ("lib/" + System.IO.Path.GetFileName(file), file);
    }

    private static string ReadModuleVersionId(byte[] assembly)
    {
        using var reader = new System.Reflection.PortableExecutable.PEReader(new MemoryStream(assembly));
        var metadata = System.Reflection.Metadata.PEReaderExtensions.GetMetadataReader(reader);
        return metadata.GetGuid(metadata.GetModuleDefinition().Mvid).ToString();
    }
}
