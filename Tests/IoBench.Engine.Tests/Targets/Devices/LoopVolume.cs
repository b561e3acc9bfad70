using System.Diagnostics;

namespace IoBench.Engine.Tests;

internal sealed class LoopVolume : IDisposable
{
    private readonly string _image;
    private bool _mounted;

    /// <param name="folder">Folder for the image; null for the temporary folder.</param>
    public LoopVolume(long size, string? folder = null)
    {
        var name = $"iobench-disk-{Guid.NewGuid():N}";
        _image = Path.Combine(folder ?? Path.GetTempPath(), name);
        using (var file = File.Create(_image))
            file.SetLength(size);
        Device = RunProgram("losetup", "--find", "--show", _image);
        MountPoint = Path.Combine(Path.GetTempPath(), name + ".mnt");
    }

    public string Device { get; }

    public string Image => _image;

    public string MountPoint { get; }

    public string GetPath(string name) => Path.Combine(MountPoint, name);

    public LoopVolume Mount(string make, params string[] options)
    {
        RunProgram("/bin/sh", "-c", $"{make} {Device} >/dev/null 2>&1");
        Directory.CreateDirectory(MountPoint);
        RunProgram("mount", [.. options, Device, MountPoint]);
        _mounted = true;
        return this;
    }

    /// <summary>Replaces blocks below the file system, as damage by the storage: no time of a file changes.</summary>
    /// <param name="blocks">Present content of each block, which must be unique on the volume, and its new content.</param>
    public void ReplaceBlocks(params (byte[] Present, byte[] Damaged)[] blocks)
    {
        RunProgram("umount", MountPoint);
        _mounted = false;
        var image = File.ReadAllBytes(_image);
        var places = new int[blocks.Length];
        for (var i = 0; i < blocks.Length; i++)
        {
            // Most blocks follow the one before, so do not search the whole image for each of them.
            var next = i == 0 ? 0 : places[i - 1] + blocks[i - 1].Present.Length;
            var found = image.AsSpan(next).IndexOf(blocks[i].Present);
            places[i] = found >= 0 ? next + found : image.AsSpan().IndexOf(blocks[i].Present);
            Assert.True(places[i] >= 0, "The block is not on the device.");
        }
        using (var file = File.OpenWrite(_image))
            for (var i = 0; i < blocks.Length; i++)
            {
                file.Position = places[i];
                file.Write(blocks[i].Damaged);
            }
        RunProgram("mount", Device, MountPoint);
        _mounted = true;
    }

    public void Remount(string options) => RunProgram("mount", "-o", $"remount,{options}", MountPoint);

    public void Dispose()
    {
        if (_mounted)
            RunProgram("umount", "-l", MountPoint);
        if (Directory.Exists(MountPoint))
            Directory.Delete(MountPoint);
        RunProgram("losetup", "-d", Device);
        File.Delete(_image);
    }

    public static string RunProgram(string program, params string[] arguments)
    {
        using var process = Process.Start(
            new ProcessStartInfo(program, arguments) { RedirectStandardError = true, RedirectStandardOutput = true }
        )!;
        var output = process.StandardOutput.ReadToEnd();
        var error = process.StandardError.ReadToEnd();
        process.WaitForExit();
        Assert.True(process.ExitCode == 0, $"{program} {string.Join(' ', arguments)}: {output}{error}");
        return output.Trim();
    }
}
