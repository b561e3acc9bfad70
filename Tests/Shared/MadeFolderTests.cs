namespace IoBench.Tests;

/// <summary>An empty folder, gone after the test.</summary>
public abstract class MadeFolderTests : FolderTests
{
    protected MadeFolderTests() => Directory.CreateDirectory(Folder);
}
