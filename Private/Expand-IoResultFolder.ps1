function Expand-IoResultFolder {
    <# Files to read: a file is itself, a folder the result files in it. #>
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [AllowEmptyCollection()]
        [string[]] $Path,

        [switch] $Recurse,

        [Parameter(Mandatory)]
        [System.Management.Automation.PSCmdlet] $Cmdlet
    )

    foreach ($item in $Path) {
        if (-not [System.IO.Directory]::Exists($item)) {
            $item
            continue
        }
        try {
            $files = @([IoBench.Formats.ResultReader]::FindFiles($item, $Recurse))
        } catch {
            $Cmdlet.WriteError((ConvertTo-IoErrorRecord -ErrorObject $_ -TargetObject $item))
            continue
        }
        if ($files.Count -eq 0) {
            $hint = $Recurse ? 'Name a folder that holds output of sqlio, DiskSpd or IoBench.' : 'Add -Recurse to look into its folders too.'
            $Cmdlet.WriteError((New-IoError -ErrorId 'IoBench.NoResultFiles' -Kind NotFound -Message "There are no result files in $item. $hint" -TargetObject $item))
        }
        $files
    }
}
