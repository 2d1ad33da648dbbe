package dev.madt.console;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class VersionTest {
    @Test
    void shouldBeThatOfTheBuild() throws Exception {
        File file = new File(System.getProperty("basedir", "."), "pom.xml");
        Document pom = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file);
        Element parent = (Element) pom.getElementsByTagName("parent").item(0);
        assertEquals(parent.getElementsByTagName("version").item(0).getTextContent(), Version.TEXT);
    }
}
