using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace IoBench.Engine.Tests;

public sealed partial class InputTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("iobench-input-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void A_file_is_read_and_one_that_is_not_there_is_told()
    {
        File.WriteAllText(At("a.txt"), "text");
        Assert.Equal("text", InputFile.ReadAllText(At("a.txt")));
        Assert.Equal("IoBench.FileNotFound", Refused(At("no.txt")));
        Assert.Equal("IoBench.FileNotFound", Refused(At("no/no.txt")));
        Assert.Equal("IoBench.NotAFile", Refused(_folder));
    }

    [LinuxFact]
    public void Pipes_sockets_and_devices_are_refused_also_behind_links()
    {
        Pipe(At("pipe"));
        using var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        socket.Bind(new UnixDomainSocketEndPoint(At("socket")));
        File.CreateSymbolicLink(At("to-pipe"), At("pipe"));
        foreach (var path in new[] { At("pipe"), At("socket"), At("to-pipe"), "/dev/null", "/dev/zero" })
            Assert.Equal("IoBench.NotAFile", Refused(path));
        // A link that the user names is followed. Files in /proc report no length but can be read.
        File.WriteAllText(At("a.txt"), "text");
        File.CreateSymbolicLink(At("link"), At("a.txt"));
        Assert.Equal("text", InputFile.ReadAllText(At("link")));
        Assert.NotEmpty(InputFile.ReadAllText("/proc/self/status"));
    }

    /// <summary>A file share can show a link as its own parent folder, which makes the path endless.</summary>
    [Fact]
    public void A_path_without_an_end_is_left_at_some_depth_and_said()
    {
        var deep = Path.Combine(_folder, string.Join('/', Enumerable.Repeat("f", 70)));
        Directory.CreateDirectory(deep);
        File.WriteAllText(Path.Combine(deep, "lost.txt"), "text");
        File.WriteAllText(At("f/f/kept.txt"), "text");
        var notes = new List<string>();
        Assert.Equal([At("f/f/kept.txt")], InputFolder.Files(_folder, recurse: true, notes.Add));
        Assert.Contains("left out: what lies more than 64 folders deep.", Assert.Single(notes), StringComparison.Ordinal);
    }

    [LinuxFact]
    public void A_pipe_that_takes_the_place_of_a_file_never_makes_us_wait()
    {
        using var stop = new CancellationTokenSource();
        File.WriteAllText(At("kept"), "text");
        var swapper = new Thread(() =>
        {
            while (!stop.IsCancellationRequested)
            {
                Pipe(At("new-pipe"));
                File.Move(At("new-pipe"), At("r.json"), overwrite: true);
                File.Copy(At("kept"), At("new-file"));
                File.Move(At("new-file"), At("r.json"), overwrite: true);
            }
        });
        File.Copy(At("kept"), At("r.json"));
        swapper.Start();
        for (var i = 0; i < 3000; i++)
        {
            try
            {
                Assert.Equal("text", InputFile.ReadAllText(At("r.json")));
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
    public void A_folder_gives_each_file_once_and_says_in_one_line_what_it_leaves_out()
    {
        var tree = Directory.CreateDirectory(At("tree")).FullName;
        Directory.CreateDirectory(Path.Combine(tree, "inner"));
        var outside = Directory.CreateDirectory(At("outside")).FullName;
        File.WriteAllText(Path.Combine(outside, "b.txt"), "");
        var files = new[] { Path.Combine(tree, "a.txt"), Path.Combine(tree, "inner", "c.txt") };
        foreach (var file in files)
            File.WriteAllText(file, "");
        Directory.CreateSymbolicLink(Path.Combine(tree, "loop"), ".");
        Directory.CreateSymbolicLink(Path.Combine(tree, "inner", "up"), "..");
        Directory.CreateSymbolicLink(Path.Combine(tree, "away"), outside);
        File.CreateSymbolicLink(Path.Combine(tree, "link.txt"), Path.Combine(outside, "b.txt"));
        Assert.Equal(0, HardLink(files[0], Path.Combine(tree, "inner", "z.txt")));
        Pipe(Path.Combine(tree, "pipe.txt"));

        var notes = new List<string>();
        Assert.Equal(files, InputFolder.Files(tree, recurse: true, notes.Add));
        Assert.Equal(
            $"{tree}: left out: 4 links (name what they lead to, to read it), 1 pipe, socket or device, 1 further name of files that are read.",
            Assert.Single(notes)
        );

        // The folder that the user names can be a link.
        Directory.CreateSymbolicLink(At("named"), tree);
        Assert.Equal([At("named/a.txt"), At("named/inner/c.txt")], InputFolder.Files(At("named"), recurse: true));
        Assert.Equal([files[0]], InputFolder.Files(tree, recurse: false));
        notes.Clear();
        Assert.Equal([Path.Combine(outside, "b.txt")], InputFolder.Files(outside, recurse: true, notes.Add));
        Assert.Empty(notes);
    }

    private static string Refused(string path) => Assert.Throws<IoBenchException>(() => InputFile.Open(path)).ErrorId;

    private string At(string name) => Path.Combine(_folder, name);

    private static void Pipe(string path) => Assert.Equal(0, MakePipe(path, 0x1B6));

    [LibraryImport("libc", EntryPoint = "mkfifo", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int MakePipe(string path, uint mode);

    [LibraryImport("libc", EntryPoint = "link", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int HardLink(string from, string to);
}
