namespace IoBench.Formats.DiskSpd.Reading.Xml;

/// <summary>Takes what a document of DiskSpd says that cannot be done or understood.</summary>
/// <param name="line">Line of the document, from 1.</param>
/// <param name="what">What is wrong there, to stand within a sentence.</param>
/// <param name="isOffered">False: it is DiskSpd's and understood, but IoBench does not do it.</param>
internal delegate void XmlProblem(int line, string what, bool isOffered = true);
