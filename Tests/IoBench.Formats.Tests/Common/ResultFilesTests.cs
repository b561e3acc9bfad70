using IoBench.Engine;

namespace IoBench.Formats.Tests;

public sealed class ResultFilesTests : MadeFolderTests
{
    private string Copy(string sample, string name, int times = 1)
    {
        var path = Path.Combine(Folder, name);
        var bytes = File.ReadAllBytes(Samples.Path(sample));
        using var stream = File.Create(path);
        for (var i = 0; i < times; i++)
            stream.Write(bytes);
        return path;
    }

    [Fact]
    public void Many_files_come_in_their_order_each_with_what_reading_it_alone_gives()
    {
        // A large file among small ones is read only when it is its turn.
        var files = Enumerable
            .Range(0, 300)
            .Select(i =>
                i == 150
                    ? Copy("documents/write-8k-sequential-BH.txt", $"{i}.txt", 3000)
                    : Copy(i % 2 == 0 ? "documents/write-8k-sequential-BN.txt" : "diskspd-runs/v22-mix-r-L.out", $"{i}.txt")
            )
            .ToList();
        Assert.True(new FileInfo(files[150]).Length > 1 << 20);

        var read = ResultFiles
            .Read(files)
            .Select(file => (file.Path, Runs: file.Results.Select(run => (run.Source, run.SourceFile, run.SourceLine, run.IOPS)).ToList()))
            .ToList();

        Assert.Equal(files, read.Select(file => file.Path));
        foreach (var (path, runs) in read)
            Assert.Equal(ResultReader.ReadFile(path).Select(run => (run.Source, run.SourceFile, run.SourceLine, run.IOPS)), runs);
        Assert.Equal(3000, read[150].Runs.Count);
    }

    [Fact]
    public void A_file_that_cannot_be_read_fails_at_its_place_and_stops_no_other()
    {
        var files = new[]
        {
            Copy("diskspd-runs/v22-mix-r-L.out", "a.txt"),
            Path.Combine(Folder, "missing.txt"),
            Copy("documents/sqlio-commands.txt", "b.txt"),
            Copy("diskspd-runs/v22-mix-r-L.out", "c.txt"),
        };

        var read = ResultFiles.Read(files).ToList();

        Assert.Single(read[0].Results);
        Assert.Equal("IoBench.FileNotFound", Assert.Throws<IoBenchException>(() => read[1].Results.Count()).ErrorId);
        Assert.Equal("IoBench.UnknownFormat", Assert.Throws<IoBenchException>(() => read[2].Results.Count()).ErrorId);
        Assert.Single(read[3].Results);
    }

    [Fact]
    public void AFolder_gives_the_files_that_hold_results_in_the_order_of_their_paths()
    {
        foreach (var name in new[] { "b.txt", "A.out", "sub/c.log" })
        {
            Directory.CreateDirectory(Path.GetDirectoryName(Path.Combine(Folder, name))!);
            Copy("diskspd-runs/v22-mix-r-L.out", name);
        }
        Copy("documents/sqlio-commands.txt", "no result.txt");
        File.WriteAllText(Path.Combine(Folder, "empty.txt"), "");
        File.WriteAllBytes(Path.Combine(Folder, "data.mdf"), new byte[100]);

        List<string> Names(bool recurse) =>
            [
                .. ResultFiles
                    .ReadFolder(Folder, recurse)
                    .Select(file => Path.GetRelativePath(Folder, file.Path).Replace('\\', '/') + file.Results.Count()),
            ];

        Assert.Equal(["A.out1", "b.txt1"], Names(recurse: false));
        Assert.Equal(["A.out1", "b.txt1", "sub/c.log1"], Names(recurse: true));
        Assert.Equal(
            "IoBench.FileNotFound",
            Assert.Throws<IoBenchException>(() => ResultFiles.ReadFolder(Path.Combine(Folder, "none"), false)).ErrorId
        );
    }

    [Fact]
    public void Who_stops_early_has_read_little_more()
    {
        var asked = 0;
        var first = Copy("diskspd-runs/v22-mix-r-L.out", "a.txt");

        Assert.Equal(
            first,
            ResultFiles
                .Read(
                    Enumerable
                        .Range(0, 100_000)
                        .Select(_ =>
                        {
                            asked++;
                            return first;
                        })
                )
                .First()
                .Path
        );

        Assert.InRange(asked, 1, 16 * (2 * Environment.ProcessorCount + 2));
    }
}
