using System.Text;
using IoBench.Engine;

namespace IoBench.Formats.Tests;

public sealed class DiskSpdRecognitionTests : IDisposable
{
    private readonly string _file = Path.GetTempFileName();

    public void Dispose() => File.Delete(_file);

    public static TheoryData<string> Encodings => ["utf-8", "utf-8-bom", "utf-16", "utf-16BE", "latin1"];

    [Theory]
    [MemberData(nameof(Encodings))]
    public void DiskSpd_text_and_XML_are_recognized_in_any_encoding(string name)
    {
        Encoding encoding = name switch
        {
            "utf-8-bom" => new UTF8Encoding(true),
            "utf-8" => new UTF8Encoding(false),
            _ => Encoding.GetEncoding(name),
        };
        File.WriteAllText(
            _file,
            File.ReadAllText(SampleFiles.GetPath("diskspd-runs", "v22-mix-r-L.out")).Replace("a.dat", "ä.dat"),
            encoding
        );
        Assert.Equal(ResultFormat.DiskSpd, ResultReader.DetectFormat(_file)?.WrittenAs);
        var text = Assert.Single(ResultReader.ReadFile(_file, ResultFormat.DiskSpd));
        Assert.Equal((@"T:\ä.dat", 56588L, _file), (text.Path, text.IOCount, text.SourceFile));

        File.WriteAllText(
            _file,
            File.ReadAllText(SampleFiles.GetPath("diskspd-runs", "v21-plain-xml.out")).Replace("a.dat", "ä.dat"),
            encoding
        );
        Assert.Equal(ResultFormat.DiskSpdXml, ResultReader.DetectFormat(_file)?.WrittenAs);
        var xml = Assert.Single(ResultReader.ReadFile(_file, ResultFormat.DiskSpd));
        Assert.Equal((@"T:\ä.dat", 23433L), (xml.Path, xml.IOCount));
    }

    [Fact]
    public void Output_of_another_tool_throws()
    {
        Assert.Equal(
            "IoBench.WrongTool",
            Assert
                .Throws<IoBenchException>(() =>
                    ResultReader.ReadFile(SampleFiles.GetPath("diskspd-runs", "v22-Sh.out"), ResultFormat.Sqlio)
                )
                .ErrorId
        );
        Assert.Equal(
            "IoBench.WrongTool",
            Assert
                .Throws<IoBenchException>(() =>
                    ResultReader.ReadFile(SampleFiles.GetPath("documents", "write-8k-sequential-BN.txt"), ResultFormat.DiskSpd)
                )
                .ErrorId
        );
    }
}
