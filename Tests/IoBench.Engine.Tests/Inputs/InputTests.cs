using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace IoBench.Engine.Tests;

public sealed partial class InputTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("iobench-input-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void Missing_file_or_folder_is_refused_with_its_error_id()
    {
        File.WriteAllText(GetPath("a.txt"), "text");
        Assert.Equal("text", InputFiles.ReadAllText(GetPath("a.txt")));
        Assert.Equal("IoBench.FileNotFound", GetRefusalId(GetPath("no.txt")));
        Assert.Equal("IoBench.FileNotFound", GetRefusalId(GetPath("no/no.txt")));
        Assert.Equal("IoBench.NotAFile", GetRefusalId(_folder));
    }

    [LinuxFact]
    public void Pipes_sockets_and_devices_are_refused_even_through_links()
    {
        CreatePipe(GetPath("pipe"));
        using var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        socket.Bind(new UnixDomainSocketEndPoint(GetPath("socket")));
        File.CreateSymbolicLink(GetPath("to-pipe"), GetPath("pipe"));
        foreach (var path in new[] { GetPath("pipe"), GetPath("socket"), GetPath("to-pipe"), "/dev/null", "/dev/zero" })
            Assert.Equal("IoBench.NotAFile", GetRefusalId(path));
        // A link that the user names is followed. Files in /proc report no length but can be read.
        File.WriteAllText(GetPath("a.txt"), "text");
        File.CreateSymbolicLink(GetPath("link"), GetPath("a.txt"));
        Assert.Equal("text", InputFiles.ReadAllText(GetPath("link")));
        Assert.NotEmpty(InputFiles.ReadAllText("/proc/self/status"));
    }

    /// <summary>A file share can show a link as its own parent folder, which makes the path endless.</summary>
    [Fact]
    public void Folders_are_read_64_levels_deep_with_a_note()
    {
        var deep = Path.Combine(_folder, string.Join('/', Enumerable.Repeat("f", 70)));
        Directory.CreateDirectory(deep);
        File.WriteAllText(Path.Combine(deep, "lost.txt"), "text");
        File.WriteAllText(GetPath("f/f/kept.txt"), "text");
        var notes = new List<string>();
        Assert.Equal([GetPath("f/f/kept.txt")], InputFiles.GetFiles(_folder, recurse: true, notes.Add));
        Assert.Contains("IoBench skipped files more than 64 folders deep.", Assert.Single(notes), StringComparison.Ordinal);
    }

    [LinuxFact]
    public void Reading_never_blocks_when_a_pipe_replaces_the_file()
    {
        using var stop = new CancellationTokenSource();
        File.WriteAllText(GetPath("kept"), "text");
        var swapper = new Thread(() =>
        {
            while (!stop.IsCancellationRequested)
            {
                CreatePipe(GetPath("new-pipe"));
                File.Move(GetPath("new-pipe"), GetPath("r.json"), overwrite: true);
                File.Copy(GetPath("kept"), GetPath("new-file"));
                File.Move(GetPath("new-file"), GetPath("r.json"), overwrite: true);
            }
        });
        File.Copy(GetPath("kept"), GetPath("r.json"));
        swapper.Start();
        for (var i = 0; i < 3000; i++)
        {
            try
            {
                Assert.Equal("text", InputFiles.ReadAllText(GetPath("r.json")));
            }
            catch (IoBenchException error) when (error.ErrorId == "IoBench.NotAFile")
            {
                // A refusal is also correct, because the path was a pipe at that moment.
            }
        }
        stop.Cancel();
        swapper.Join();
    }

    [LinuxFact]
    public void Folder_returns_each_file_once_and_notes_skipped_entries()
    {
        var tree = Directory.CreateDirectory(GetPath("tree")).FullName;
        Directory.CreateDirectory(Path.Combine(tree, "inner"));
        var outside = Directory.CreateDirectory(GetPath("outside")).FullName;
        File.WriteAllText(Path.Combine(outside, "b.txt"), "");
        var files = new[] { Path.Combine(tree, "a.txt"), Path.Combine(tree, "inner", "c.txt") };
        foreach (var file in files)
            File.WriteAllText(file, "");
        Directory.CreateSymbolicLink(Path.Combine(tree, "loop"), ".");
        Directory.CreateSymbolicLink(Path.Combine(tree, "inner", "up"), "..");
        Directory.CreateSymbolicLink(Path.Combine(tree, "away"), outside);
        File.CreateSymbolicLink(Path.Combine(tree, "link.txt"), Path.Combine(outside, "b.txt"));
        Assert.Equal(0, HardLink(files[0], Path.Combine(tree, "inner", "z.txt")));
        CreatePipe(Path.Combine(tree, "pipe.txt"));

        var notes = new List<string>();
        Assert.Equal(files, InputFiles.GetFiles(tree, recurse: true, notes.Add));
        Assert.Equal(
            $"{tree}: IoBench skipped 4 links (to read them, specify their targets), 1 pipe, socket, or device, 1 hard link to files that IoBench already reads.",
            Assert.Single(notes)
        );

        // The folder that the user names can be a link.
        Directory.CreateSymbolicLink(GetPath("named"), tree);
        Assert.Equal([GetPath("named/a.txt"), GetPath("named/inner/c.txt")], InputFiles.GetFiles(GetPath("named"), recurse: true));
        Assert.Equal([files[0]], InputFiles.GetFiles(tree, recurse: false));
        notes.Clear();
        Assert.Equal([Path.Combine(outside, "b.txt")], InputFiles.GetFiles(outside, recurse: true, notes.Add));
        Assert.Empty(notes);
    }

    private static string GetRefusalId(string path) => Assert.Throws<IoBenchException>(() => InputFiles.Open(path)).ErrorId;

    private string GetPath(string name) => Path.Combine(_folder, name);

    private static void CreatePipe(string path) => Assert.Equal(0, MakePipe(path, 0x1B6));

    [LibraryImport("libc", EntryPoint = "mkfifo", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int MakePipe(string path, uint mode);

    [LibraryImport("libc", EntryPoint = "link", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int HardLink(string from, string to);
}
